using Larder.Client;
using Spectre.Console;

namespace Larder.Cli;

/// <summary>Prints results to standard output, in a form that scripts can parse, and errors to standard error.</summary>
internal static class Output
{
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

    /// <summary>
    /// Prints the error of a call and returns the exit code. The state of the client's queue is omitted, because a command makes only one call.
    /// </summary>
    public static int Fail(CacheError error)
    {
        string cause = error.Cause is null ? "" : $" (cause {error.Cause})";
        string remedy = error.Code switch
        {
            CacheErrorCode.Unauthenticated => $"; or set --token or {Connection.TokenVariable}",
            CacheErrorCode.PermissionDenied => $"; pass another token with --token or {Connection.TokenVariable}",
            CacheErrorCode.Unavailable when error.Reason.EndsWith("no server is listening on this address", StringComparison.Ordinal) =>
                "; start one with 'larder serve', or pass --server",
            _ => "",
        };
        Explain(TerminalText.OfText($"{error.Code}: {error.Reason}{cause}{remedy}"), Color.Red);
        return error.Code == CacheErrorCode.InvalidArgument ? ExitCode.Usage : ExitCode.Failed;
    }

    public static int Fail(string reason)
    {
        Explain(reason, Color.Red);
        return ExitCode.Failed;
    }

    /// <summary>Prints the reasons why the command is invalid and where to find help, and returns the exit code.</summary>
    public static int Refuse(IEnumerable<string> reasons, string help = "")
    {
        foreach (string reason in reasons)
        {
            Explain(reason, Color.Red);
        }

        if (help.Length > 0)
        {
            Explain($"Run '{help}' for help.", Color.Default);
        }

        return ExitCode.Usage;
    }

    // Creates the console for errors. It is created only when needed, because detecting the terminal's capabilities takes as long as a call.
    private static IAnsiConsole Errors() => AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });

    // Prints a reason. If standard error is a file or a pipe, the reason is one plain line, without colours and without wrapping at the width of a terminal.
    private static void Explain(string reason, Color color)
    {
        try
        {
            if (Console.IsErrorRedirected)
            {
                Console.Error.WriteLine(reason);
            }
            else
            {
                Errors().MarkupLineInterpolated($"[{color.ToMarkup()}]{reason}[/]");
            }
        }
        catch (IOException)
        {
            // Writing to standard error failed. The exit code still indicates the failure.
        }
    }
}
