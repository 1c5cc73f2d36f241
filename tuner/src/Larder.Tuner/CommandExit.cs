using Larder.Harness;
using Larder.Report.Runs;

namespace Larder.Tuner;

/// <summary>The common exit codes of the commands.</summary>
internal static class CommandExit
{
    private const int IsWrong = 2;
    private const int HasFailed = 4;

    /// <summary>
    /// Runs <c>larder tune</c> or one of its subcommands. Returns the exit code of the command, 2 for invalid arguments, or 4 if a required resource is missing
    /// or fails. If an interruption caused the failure, the interruption handler determines the exit code.
    /// </summary>
    public static async Task<int> OfAsync(Func<Task<int>> command)
    {
        try
        {
            return await command().ConfigureAwait(false);
        }
        catch (FormatException wrong)
        {
            return Wrong(wrong);
        }
        catch (Exception failed) when (failed is HarnessException or RunFileException && !Interruption.Explains(failed))
        {
            Console.Error.WriteLine(failed.Message);
            return HasFailed;
        }
    }

    /// <summary>Parses the arguments of a command and runs it. Returns the exit code of the command, or 2 for invalid arguments.</summary>
    public static async Task<int> OfAsync<T>(Func<T> read, Func<T, Task<int>> run) =>
        TryRead(read, out T told) ? await run(told).ConfigureAwait(false) : IsWrong;

    /// <summary>Parses the arguments of a synchronous command and runs it. Returns the exit code of the command, or 2 for invalid arguments.</summary>
    public static int Of<T>(Func<T> read, Func<T, int> run) => TryRead(read, out T told) ? run(told) : IsWrong;

    private static bool TryRead<T>(Func<T> read, out T told)
    {
        try
        {
            told = read();
            return true;
        }
        catch (FormatException wrong)
        {
            told = default!;
            _ = Wrong(wrong);
            return false;
        }
    }

    private static int Wrong(FormatException wrong)
    {
        Console.Error.WriteLine(wrong.Message);
        return IsWrong;
    }
}
