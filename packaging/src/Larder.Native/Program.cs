using Larder.Cli;

return args switch
{
    ["serve", .. string[] rest] => await Larder.Server.Program.RunAsync(rest).ConfigureAwait(false),
    ["token", ..] => await Larder.Server.Program.RunAsync(args).ConfigureAwait(false),
    ["file", .. string[] rest] => Larder.FileStore.Cli.Program.Run(rest),
    _ => await CommandLine.RunAsync(args).ConfigureAwait(false),
};
