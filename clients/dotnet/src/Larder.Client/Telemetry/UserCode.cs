using System.Diagnostics;
using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>Runs user code that observes the client: loggers, meters, spans. Its exceptions must not fail the observed call.</summary>
internal static class UserCode
{
    public static void Run(Action listener)
    {
        // Calls that the user code makes must not be held.
        BlockingScope? scope = BlockingScope.Exchange(null);
        try
        {
            listener();
        }
#pragma warning disable CA1031 // The user code may throw any exception.
        catch (Exception error)
#pragma warning restore CA1031
        {
            // The logger may be what throws, so the exception is only visible in a debugger.
            Debug.WriteLine(error);
        }
        finally
        {
            BlockingScope.Exchange(scope);
        }
    }
}
