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
        Explain("not found", Color.Yellow);
        return ExitCode.Missing;
    }

    public static int Fail(ICacheFailure failure) => Fail(failure.Failure.Message);

    public static int Fail(string reason)
    {
        Explain(reason, Color.Red);
        return ExitCode.Failed;
    }

    // A log or a pipe gets one plain line: neither colours nor breaks at a width that it has not.
    private static void Explain(string reason, Color color)
    {
        if (Console.IsErrorRedirected)
        {
            Console.Error.WriteLine(reason);
        }
        else
        {
            Errors.MarkupLineInterpolated($"[{color.ToMarkup()}]{reason}[/]");
        }
    }
}
