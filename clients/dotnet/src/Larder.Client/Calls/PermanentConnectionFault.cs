using System.Security.Authentication;
using Larder.Wire;

namespace Larder.Client.Calls;

/// <summary>Recognizes connection failures that waiting does not fix: the peer uses another protocol, or TLS fails (RETRY-9).</summary>
internal static class PermanentConnectionFault
{
    /// <summary>Returns whether the exception or one of its inner exceptions is such a failure.</summary>
    public static bool Is(Exception? failure)
    {
        for (; failure is not null; failure = failure.InnerException)
        {
            if (failure is ProtocolMismatchException or AuthenticationException)
            {
                return true;
            }
        }

        return false;
    }
}
