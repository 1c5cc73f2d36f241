using System.Diagnostics;
using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>Runs what others listen with: loggers, meters, spans. What they throw is theirs, and must not fail the call that they hear of.</summary>
internal static class UserCode
{
    public static void Run(Action listener)
    {
        // Calls that it makes itself are not held.
        BlockingScope? scope = BlockingScope.Exchange(null);
        try
        {
            listener();
        }
#pragma warning disable CA1031 // Whatever a listener throws.
        catch (Exception error)
#pragma warning restore CA1031
        {
            // The logger may be what throws: this is seen in a debugger alone.
            Debug.WriteLine(error);
        }
        finally
        {
            BlockingScope.Exchange(scope);
        }
    }
}
