using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Larder.Harness.Processes;
using Larder.Wire.Tests.Sockets;

namespace Larder.Wire.Tests.Server.Connections;

public sealed class KeyUpdateTests
{
    // The type, flags and stream of the server's first SETTINGS frame.
    private static readonly byte[] s_settings = [4, 0, 0, 0, 0, 0];

    [TimedTheory]
    [InlineData('k')]
    [InlineData('K')]
    public async Task Flood_of_key_updates_closes_connection(char command)
    {
        using X509Certificate2 certificate = TestCertificate.Make();
        var context = SslStreamCertificateContext.Create(certificate, null, offline: true);
        RpcServerOptions hosting = new()
        {
            Tls = () => new SslServerAuthenticationOptions { ServerCertificateContext = context },
            // Pings are off, because this client does not reply to them, and the missing reply would also end the connection.
            KeepAlivePingDelay = TimeSpan.Zero,
        };
        await using TestServer server = await TestServer.StartAsync(static _ => { }, hosting: hosting);
        string at = $"127.0.0.1:{server.Endpoint.Port}";
        using ChildProcess client = ChildProcess.Start(new ProgramCommand("openssl", "openssl", "s_client", "-connect", at, "-alpn", "h2", "-tls1_3"));
        await client.Input.WriteAsync("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0");
        await client.Input.FlushAsync();
        await ReadUntilAsync(client.Output.BaseStream, s_settings);
        Task read = client.Output.BaseStream.CopyToAsync(Stream.Null);
        Task<int> ended = client.WaitForExitAsync(TestCalls.Patience);
        // If the program reads input that begins with this letter, it sends a key update. If it reads several letters together, it sends only one key update.
        while (!ended.IsCompleted)
        {
            try
            {
                await client.Input.WriteAsync(command);
                await client.Input.FlushAsync();
            }
            catch (IOException)
            {
                // The process has ended.
                break;
            }

            await Task.Yield();
        }

        await ended;
        await read;
    }

    private static async Task ReadUntilAsync(Stream output, byte[] end)
    {
        List<byte> read = [];
        byte[] part = new byte[4096];
        while (read.ToArray().AsSpan().IndexOf(end) < 0)
        {
            int count = await output.ReadAsync(part).AsTask().WaitAsync(TestCalls.Patience);
            Assert.True(count > 0, "The server closed the connection before the flood.");
            read.AddRange(part[..count]);
        }
    }
}
