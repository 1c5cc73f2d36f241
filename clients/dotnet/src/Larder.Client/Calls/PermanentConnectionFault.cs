using System.Security.Authentication;
using Larder.Wire;

namespace Larder.Client.Calls;

/// <summary>Recognizes permanent connection failures, for which waiting does not help: the peer uses another protocol, or TLS fails (RETRY-9).</summary>
internal static class PermanentConnectionFault
{
    /// <summary>Returns whether the exception or one of its inner exceptions is a permanent connection failure.</summary>
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
