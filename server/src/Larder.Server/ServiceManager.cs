using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Larder.Server;

/// <summary>
/// Reports the server's state to systemd, for services of <c>Type=notify</c>. Sends datagrams to the socket whose address is in the environment variable
/// <c>NOTIFY_SOCKET</c>, see sd_notify(3). Does nothing if the variable is not set.
/// </summary>
/// <param name="address">The socket's path, or <c>@</c> and a name in the abstract namespace; null or empty if there is no service manager.</param>
internal sealed class ServiceManager(string? address)
{
    /// <summary>The environment variable with the socket's address.</summary>
    public const string Variable = "NOTIFY_SOCKET";

    /// <summary>Creates the instance for this process from its environment.</summary>
    public static ServiceManager OfEnvironment() => new(Environment.GetEnvironmentVariable(Variable));

    /// <summary>Reports that the server is ready.</summary>
    public void Ready() => Tell("READY=1");

    /// <summary>
    /// Reports that the server is reloading its files. The caller must call <see cref="Ready"/> afterwards. The notification must contain a timestamp of the
    /// monotonic clock. <see cref="Stopwatch"/> reads this clock.
    /// </summary>
    public void Reloading() =>
        Tell(string.Create(CultureInfo.InvariantCulture, $"RELOADING=1\nMONOTONIC_USEC={Stopwatch.GetElapsedTime(0).Ticks / TimeSpan.TicksPerMicrosecond}"));

    /// <summary>Reports that the server is shutting down.</summary>
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
            // The error is ignored and the server continues. The service manager waits for the notification and reports a timeout itself.
            System.Console.Error.WriteLine(
                $"larder: cannot send {state.Split('\n')[0]} to the service manager at {address} ({Variable}): {refused.Message}");
        }
    }
}
