import { chromium } from 'playwright-core';
import { readFileSync } from 'node:fs';
const url=/http:\S+#key=\S+/.exec(readFileSync('/tmp/h/demo.log','utf8'))[0].replace('/#','/?'+process.argv[2]+'#');
const b=await chromium.launch({executablePath:process.env.CHROMIUM??'/usr/bin/chromium',args:['--headless','--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync']});
const p=await b.newPage({viewport:{width:+(process.argv[4]??1200),height:1000}, colorScheme: process.argv[5]??'light'}); p.on('console',m=>console.log(m.text())); p.on('pageerror',e=>console.log('ERR',e.message));
await p.goto(url); await p.waitForTimeout(2500); const el=await p.$('#odds'); await el.scrollIntoViewIfNeeded(); await p.waitForTimeout(3000); await (await p.$('#odds')).screenshot({path:process.argv[3]}); await b.close();
