using Larder.Cli;

return await CommandLine.RunAsync(args).ConfigureAwait(false);
