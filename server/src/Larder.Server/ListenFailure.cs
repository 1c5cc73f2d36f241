using System.Net;
using System.Net.Sockets;

namespace Larder.Server;

/// <summary>Explains why the server cannot listen on an address and port, and what to do.</summary>
internal static class ListenFailure
{
    /// <summary>Creates the exception that is shown to the user.</summary>
    /// <param name="address">The address.</param>
    /// <param name="hostOption">The option that sets the address.</param>
    /// <param name="port">The port.</param>
    /// <param name="portOption">The option that sets the port.</param>
    /// <param name="unbound">The exception to explain: a <see cref="SocketException"/>, or an exception that contains one.</param>
    public static ServerOptionsException Of(IPAddress address, string hostOption, int port, string portOption, Exception unbound)
    {
        SocketError? error = null;
        for (Exception? at = unbound; at is not null && error is null; at = at.InnerException)
        {
            error = (at as SocketException)?.SocketErrorCode;
        }

        string why = error switch
        {
            SocketError.AddressAlreadyInUse =>
                $"port {port} is already in use; stop the other process, or pass another {portOption}, or 0 for a free one",
            null => $"cannot listen on port {port} ({unbound.Message}); pass another {portOption}, or 0 for a free one",
            SocketError.AddressNotAvailable =>
                $"{hostOption} {address} does not belong to this machine; pass an address of this machine, or 0.0.0.0 for all its addresses",
            SocketError.AccessDenied => $"no permission to listen on port {port} ({unbound.Message}); pass a {portOption} of 1024 or more",
            _ => $"cannot listen on {address}:{port} ({unbound.Message}); pass another {hostOption} or {portOption}",
        };
        return new ServerOptionsException(why, unbound);
    }
}
