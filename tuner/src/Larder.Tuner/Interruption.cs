using System.Runtime.InteropServices;
using Larder.Harness;
using Spectre.Console;

namespace Larder.Tuner;

/// <summary>
/// Ctrl+C: says so, ends what was started, and ends this process with 130. The programs that were started get the signal too and may end first: that is no
/// failure of theirs.
/// </summary>
internal static class Interruption
{
    /// <summary>128 and the number of SIGINT.</summary>
    public const int ExitCode = 130;

    private static readonly TaskCompletionSource s_came = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private static readonly TaskCompletionSource s_kept = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>What keeps what was measured so far, before this process ends; null for nothing. It must not wait for what is being measured.</summary>
    public static Action? Keep { get; set; }

    /// <summary>Done when it came and what was to be kept is: whoever was interrupted waits for it before its process ends.</summary>
    public static Task Kept => s_kept.Task;

    /// <summary>Whether it came.</summary>
    public static bool Came => s_came.Task.IsCompleted;

    /// <summary>Listens until it is disposed of.</summary>
    public static IDisposable Listen() => PosixSignalRegistration.Create(PosixSignal.SIGINT, signal =>
    {
        signal.Cancel = true;
        if (!s_came.TrySetResult())
        {
            return;
        }

        if (!Console.IsOutputRedirected)
        {
            // A live picture hides it.
            AnsiConsole.Cursor.Show();
        }

        Console.Error.WriteLine("interrupted");
        KeepWhatIs();
        s_kept.SetResult();
        // Ends the programs started, too: they are ended when this process does.
        Environment.Exit(ExitCode);
    });

    /// <summary>Whether it is why something failed: a program that was started may have had the signal already, and then a moment is waited for it.</summary>
    public static bool Explains(Exception failed) => Came || (failed is HarnessException { ExitCode: ExitCode } && s_came.Task.Wait(TimeSpan.FromSeconds(1)));

    private static void KeepWhatIs()
    {
        try
        {
            Keep?.Invoke();
        }
        catch (Exception unwritten) when (unwritten is IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"what was measured is not kept: {unwritten.Message}");
        }
    }
}
