using Larder.Tool;

Route route = Route.Of(args);
switch (route.Kind)
{
    case RouteKind.Help:
        Console.WriteLine(Usage.Text);
        return 0;
    case RouteKind.Version:
        Console.WriteLine($"larder {typeof(Route).Assembly.GetName().Version!.ToString(3)}");
        return 0;
    case RouteKind.Here:
        return await Larder.Cli.CommandLine.RunAsync([.. route.Arguments]).ConfigureAwait(false);
    case RouteKind.Program:
        return SiblingProgram.Run(route.Program, route.Arguments);
    default:
        Console.Error.WriteLine(route.Refusal);
        return 2;
}
