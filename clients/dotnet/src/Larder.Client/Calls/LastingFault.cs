using System.Security.Authentication;
using Larder.Wire;

namespace Larder.Client.Calls;

/// <summary>Recognizes failures to connect that waiting does not end: the peer speaks another protocol, or TLS refuses it (RETRY-9).</summary>
internal static class LastingFault
{
    /// <summary>Returns whether the failure is one of them.</summary>
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
