-- Of values that are no ratios of whole numbers: a tie in decimals is within the margin.
CREATE OR REPLACE TEMP MACRO to_hundredths(x) AS sign(x) * floor(abs(x) + 0.5 + 1e-10) / 100 + 0;
CREATE OR REPLACE TEMP MACRO inexact_degrees(x) AS to_hundredths(x * {{over}} / {{times}});
CREATE OR REPLACE TEMP MACRO difference_in_f(x) AS to_hundredths(x * 9 / 5 * 100);  -- of a °C
CREATE OR REPLACE TEMP MACRO temperature_in_f(x) AS to_hundredths((x * 9 / 5 + {{zero}} / 100) * 100);
