using System.Runtime.InteropServices;

namespace Larder.Store.Snapshots;

/// <summary>A thread for long work in the background: where processors are short, those that serve go first.</summary>
public static partial class QuietThread
{
    // Of the system's -20 to 19: a tenth of what a thread that serves gets, where both want one processor; all of one that nobody else wants.
    private const int Niceness = 10;

    // On Linux, "this process" by number 0 is the thread that calls.
    private const int OfProcess = 0;

    /// <summary>Runs something on a thread of its own.</summary>
    /// <param name="name">The thread's name.</param>
    /// <param name="work">What.</param>
    /// <returns>Its result, or what it threw.</returns>
    public static Task<T> RunAsync<T>(string name, Func<T> work)
    {
        ArgumentNullException.ThrowIfNull(work);
        TaskCompletionSource<T> done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Thread thread = new(() => Run(work, done)) { IsBackground = true, Name = name };
        thread.Start();
        return done.Task;
    }

    private static void Run<T>(Func<T> work, TaskCompletionSource<T> done)
    {
        if (OperatingSystem.IsLinux())
        {
            _ = SetPriority(OfProcess, 0, Niceness);
        }

        try
        {
            done.SetResult(work());
        }
#pragma warning disable CA1031 // Not swallowed: who waits for the task gets it.
        catch (Exception error)
#pragma warning restore CA1031
        {
            done.SetException(error);
        }
    }

    [LibraryImport("libc", EntryPoint = "setpriority")]
    private static partial int SetPriority(int which, int who, int niceness);
}
