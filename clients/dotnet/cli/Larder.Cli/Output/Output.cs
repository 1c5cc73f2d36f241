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

    /// <summary>Prints the failure of a call. The state of the client's queue is omitted, because a command makes only one call.</summary>
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

    /// <summary>Prints why the command is invalid, and where to find help.</summary>
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

    // Created only when needed: detecting the terminal's capabilities takes as long as a call.
    private static IAnsiConsole Errors() => AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });

    // A log or a pipe gets one plain line, without colours and without line breaks at a terminal's width.
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
            // Standard error cannot be written to. The exit code still shows the failure.
        }
    }
}
