using System.Runtime.InteropServices;
using Larder.Harness;
using Spectre.Console;

namespace Larder.Tuner;

/// <summary>
/// Handles Ctrl+C: prints a message, stops the child processes, and ends this process with exit code 130. Child processes also receive the signal and may end
/// first. This does not count as a failure of the child process.
/// </summary>
internal static class Interruption
{
    /// <summary>The exit code of an interrupted command: 128 plus 2, the signal number of SIGINT.</summary>
    public const int ExitCode = 130;

    private static readonly TaskCompletionSource s_came = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private static readonly TaskCompletionSource s_kept = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>
    /// Gets or sets the action that saves the results so far before the process ends. Null if there is nothing to save. The action must not wait for the
    /// current measurement.
    /// </summary>
    public static Action? Keep { get; set; }

    /// <summary>
    /// Gets a task that completes when an interruption has occurred and the results are saved. Interrupted code waits for this task until the process ends.
    /// </summary>
    public static Task Kept => s_kept.Task;

    /// <summary>Gets whether Ctrl+C was pressed.</summary>
    public static bool Came => s_came.Task.IsCompleted;

    /// <summary>Handles Ctrl+C until the returned object is disposed.</summary>
    public static IDisposable Listen() => PosixSignalRegistration.Create(PosixSignal.SIGINT, signal =>
    {
        signal.Cancel = true;
        if (!s_came.TrySetResult())
        {
            return;
        }

        if (!Console.IsOutputRedirected)
        {
            // A live display hides the cursor, so it is shown again.
            AnsiConsole.Cursor.Show();
        }

        Console.Error.WriteLine("interrupted");
        KeepTerminalState();
        s_kept.SetResult();
        // The exit of this process also stops the child processes.
        Environment.Exit(ExitCode);
    });

    /// <summary>
    /// Returns whether an interruption caused a failure. A child process may receive the signal before this process, so the method waits up to a second for the
    /// signal.
    /// </summary>
    public static bool Explains(Exception failed) => Came || (failed is HarnessException { ExitCode: ExitCode } && s_came.Task.Wait(TimeSpan.FromSeconds(1)));

    private static void KeepTerminalState()
    {
        try
        {
            Keep?.Invoke();
        }
        catch (Exception unwritten) when (unwritten is IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"Cannot save the measurements: {unwritten.Message}");
        }
    }
}
