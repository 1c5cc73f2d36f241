using System.Net;
using System.Net.Sockets;

namespace Larder.Server.Doctor;

/// <summary>Checks whether the server could listen on its ports.</summary>
internal static class PortChecks
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    public static async Task<IReadOnlyList<Finding>> RunAsync(ServerOptions options)
    {
        bool isRunning = false;
        Finding? data = Try("data port", options.Host, "--host", options.Port, "--port");
        Finding? console = Try("console port", options.ConsoleHost, "--console-host", options.ConsolePort, "--console-port");
        if (data is { Level: FindingLevel.Error } && console is { Level: FindingLevel.Error })
        {
            isRunning = await RespondsAsync(options).ConfigureAwait(false);
        }

        return isRunning
            ? [Finding.Skipped("ports", $"a Larder server with console port {options.ConsolePort} is running, and uses them")]
            : [.. new[] { data, console }.OfType<Finding>()];
    }

    private static Finding? Try(string subject, IPAddress address, string hostOption, int port, string portOption)
    {
        if (port == 0)
        {
            return null;
        }

        try
        {
            using Socket probe = new(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            probe.Bind(new IPEndPoint(address, port));
            probe.Listen(1);
            return Finding.Ok(subject, $"{new IPEndPoint(address, port)} is free");
        }
        catch (SocketException error)
        {
            string[] parts = ListenFailure.Of(address, hostOption, port, portOption, error).Message.Split("; ", 2);
            return Finding.Error(subject, parts[0], parts[1]);
        }
    }

    // Both ports of a running server are in use, and that is not a problem.
    private static async Task<bool> RespondsAsync(ServerOptions options)
    {
        IPAddress address = options.ConsoleHost.Equals(IPAddress.Any) ? IPAddress.Loopback
            : options.ConsoleHost.Equals(IPAddress.IPv6Any) ? IPAddress.IPv6Loopback
            : options.ConsoleHost;
        try
        {
            using HttpClient client = new(new SocketsHttpHandler { UseProxy = false }) { Timeout = Timeout };
            using HttpResponseMessage response = await client
                .GetAsync(new Uri($"http://{new IPEndPoint(address, options.ConsolePort)}/health/live"))
                .ConfigureAwait(false);
            return response.StatusCode == HttpStatusCode.OK;
        }
        catch (Exception error) when (error is HttpRequestException or OperationCanceledException)
        {
            return false;
        }
    }
}
