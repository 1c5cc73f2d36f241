using Larder.Tuner.Processes;

namespace Larder.Tuner.Tune;

/// <summary>The exit codes that larder tune and its commands share for what ends them early.</summary>
internal static class TuneExit
{
    /// <summary>
    /// Runs a command: its own exit code; 2 where it is wrong, 4 where something needed is missing or failed. What an interruption made fail is the
    /// interruption's.
    /// </summary>
    public static async Task<int> OfAsync(Func<Task<int>> command)
    {
        try
        {
            return await command().ConfigureAwait(false);
        }
        catch (FormatException wrong)
        {
            Console.Error.WriteLine(wrong.Message);
            return 2;
        }
        catch (TunerException failed) when (!Interruption.Came)
        {
            Console.Error.WriteLine(failed.Message);
            return 4;
        }
    }
}
