using Larder.Client;
using Spectre.Console;

namespace Larder.Cli;

/// <summary>Results on standard output, plain enough for a script; reasons on standard error.</summary>
internal static class Output
{
    private static readonly IAnsiConsole Errors = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });

    public static int Say(string text)
    {
        Console.Out.WriteLine(text);
        return ExitCode.Done;
    }

    public static int Missing()
    {
        Errors.MarkupLine("[yellow]not found[/]");
        return ExitCode.Missing;
    }

    public static int Fail(ICacheFailure failure) => Fail(failure.Failure.Message);

    public static int Fail(string reason)
    {
        Errors.MarkupLineInterpolated($"[red]{reason}[/]");
        return ExitCode.Failed;
    }
}
