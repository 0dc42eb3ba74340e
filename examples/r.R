# Error by lead time, with base R alone (3.6 or later)
#   API_KEY=fas_... Rscript examples/r.R Chicago
base <- Sys.getenv("BASE_URL", "http://127.0.0.1:8080")
headers <- c(Authorization = paste("Bearer", Sys.getenv("API_KEY")))
city <- c(commandArgs(trailingOnly = TRUE), "Chicago")[1]

address <- paste0(base, "/api/v1/accuracy/by-lead-time?days=30&format=csv&city=", URLencode(city, reserved = TRUE))
accuracy <- read.csv(url(address, headers = headers))
print(accuracy[, c("lead_time_bucket", "verification_pairs", "mean_error", "mae", "rmse")])
