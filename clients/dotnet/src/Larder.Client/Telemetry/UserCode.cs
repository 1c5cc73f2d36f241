using System.Diagnostics;
using Larder.Client.Calls;

namespace Larder.Client;

/// <summary>
/// Runs code of the application that observes the client, such as loggers and listeners of meters and spans. Exceptions of this code must not fail the observed
/// call.
/// </summary>
internal static class UserCode
{
    public static void Run(Action listener)
    {
        // The listener may make calls of its own. The current blocking scope must not hold these calls, because they are not part of the blocking operation.
        BlockingScope? scope = BlockingScope.Exchange(null);
        try
        {
            listener();
        }
#pragma warning disable CA1031 // The user code may throw any exception.
        catch (Exception error)
#pragma warning restore CA1031
        {
            // The logger itself may have thrown, so the exception is not logged. It is visible only in a debugger.
            Debug.WriteLine(error);
        }
        finally
        {
            BlockingScope.Exchange(scope);
        }
    }
}
