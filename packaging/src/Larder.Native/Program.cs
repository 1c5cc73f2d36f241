using Larder.Native;
using Larder.Tool;

Route route = Route.Of(args);
return route switch
{
    { Kind: RouteKind.Help } => Say(Usage.Text),
    { Kind: RouteKind.Version } => Say($"larder {typeof(Usage).Assembly.GetName().Version!.ToString(3)}"),
    { Kind: RouteKind.Here } => await Larder.Cli.CommandLine.RunAsync([.. route.Arguments]).ConfigureAwait(false),
    { Kind: RouteKind.Program, Program: Route.Server } => await Larder.Server.Program.RunAsync([.. route.Arguments]).ConfigureAwait(false),
    { Kind: RouteKind.Program, Program: Route.FileCache } => Larder.FileStore.Cli.Program.Run([.. route.Arguments]),
    { Kind: RouteKind.Program } => Refuse(Usage.Missing(args[0])),
    _ => Refuse(route.Refusal),
};

static int Say(string text)
{
    try
    {
        Console.WriteLine(text);
        return 0;
    }
    catch (IOException unwritten)
    {
        return Fail($"error: cannot write the output: {unwritten.Message}", 1);
    }
}

static int Refuse(string reason) => Fail(reason, 2);

static int Fail(string reason, int code)
{
    try
    {
        Console.Error.WriteLine(reason);
    }
    catch (IOException)
    {
        // Writing to standard error has also failed. So only the exit code reports the failure.
    }

    return code;
}
