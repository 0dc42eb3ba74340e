-- Student's t between whose two signs the level lies, by degrees of freedom.
CREATE OR REPLACE TEMP MACRO student_t(df) AS ({{student_t}})[df];
