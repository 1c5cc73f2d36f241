using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Larder.Server;

/// <summary>
/// What systemd is told of a service of <c>Type=notify</c>: a datagram to the socket that <c>NOTIFY_SOCKET</c> names (sd_notify(3)). Nobody is told where it
/// names none.
/// </summary>
/// <param name="address">The socket's path, or <c>@</c> and its name in the abstract namespace; null or empty: there is no service manager.</param>
internal sealed class ServiceManager(string? address)
{
    /// <summary>The environment variable of the socket's address.</summary>
    public const string Variable = "NOTIFY_SOCKET";

    /// <summary>The manager of this process.</summary>
    public static ServiceManager OfEnvironment() => new(Environment.GetEnvironmentVariable(Variable));

    /// <summary>Calls are served.</summary>
    public void Ready() => Tell("READY=1");

    /// <summary>Files are read again; <see cref="Ready"/> follows. The time is of the monotonic clock, which .NET's stopwatch reads too.</summary>
    public void Reloading() =>
        Tell(string.Create(CultureInfo.InvariantCulture, $"RELOADING=1\nMONOTONIC_USEC={Stopwatch.GetElapsedTime(0).Ticks / TimeSpan.TicksPerMicrosecond}"));

    /// <summary>The server drains, and the process ends.</summary>
    public void Stopping() => Tell("STOPPING=1");

    private void Tell(string state)
    {
        if (string.IsNullOrEmpty(address))
        {
            return;
        }

        try
        {
            using Socket socket = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
            socket.Connect(new UnixDomainSocketEndPoint(address[0] == '@' ? '\0' + address[1..] : address));
            socket.Send(Encoding.UTF8.GetBytes(state));
        }
        catch (Exception refused) when (refused is SocketException or ArgumentException)
        {
            // The server serves all the same; its manager, which waits for it, says on its side that it heard nothing.
            System.Console.Error.WriteLine($"larder: {Variable}={address} cannot be told {state.Split('\n')[0]}: {refused.Message}");
        }
    }
}
