using Larder.Harness;
using Larder.Report.Runs;

namespace Larder.Tuner;

/// <summary>The exit codes that commands share for what ends them early.</summary>
internal static class CommandExit
{
    private const int IsWrong = 2;
    private const int HasFailed = 4;

    /// <summary>
    /// Runs larder tune or a command of it: its own exit code; 2 where it is wrong, 4 where something needed is missing or failed. What an interruption made
    /// fail is the interruption's.
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

    /// <summary>Reads what a command was told, then runs it: its own exit code; 2 where what it was told is wrong.</summary>
    public static async Task<int> OfAsync<T>(Func<T> read, Func<T, Task<int>> run) =>
        TryRead(read, out T told) ? await run(told).ConfigureAwait(false) : IsWrong;

    /// <summary>The same of a command that waits for nothing.</summary>
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
