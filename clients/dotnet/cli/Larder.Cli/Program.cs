using System.CommandLine;
using Larder.Cli;

RootCommand root = new("Talks to a Larder server from the command line.");
foreach (Command command in (Command[])[.. ItemCommands.All(), CacheCommands.List(), StatsCommand.Create()])
{
    root.Add(command);
}

return await root.Parse(args).InvokeAsync().ConfigureAwait(false);
