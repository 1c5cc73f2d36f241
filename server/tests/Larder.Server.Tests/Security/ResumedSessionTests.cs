using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Larder.Harness;
using Larder.Harness.Processes;
using Larder.Server.Tests.Faults;

namespace Larder.Server.Tests.Security;

/// <summary>
/// Tests with clients whose certificate is issued by an intermediate authority. Their second connection resumes the TLS session of the first.
/// </summary>
public sealed class ResumedSessionTests : IDisposable
{
    private static readonly byte[] s_opening = [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, 0, 0, 0, 4, 0, 0, 0, 0, 0];

    private readonly TestCertificates _certificates = new(hasIntermediate: true);
    private readonly string _session = Path.GetTempFileName();

    public void Dispose()
    {
        _certificates.Dispose();
        File.Delete(_session);
    }

    [Theory]
    [InlineData("-tls1_2")]
    [InlineData("-tls1_3")]
    public async Task OpenSSL_client_can_resume_its_TLS_session(string version)
    {
        await using LarderServer server = await StartAsync();
        Assert.True(await RunAsync("-sess_out"), "the first connection was refused");
        Assert.True(await RunAsync("-sess_in"), "the second connection was refused");

        async Task<bool> RunAsync(string use)
        {
            if (use == "-sess_in" && new FileInfo(_session).Length == 0)
            {
                // The server issued no session, so there is no session to resume.
                use = "-sess_out";
            }

            string[] arguments =
            [
                "s_client", "-connect", $"127.0.0.1:{server.Endpoint.Port}", "-alpn", "h2", version, "-cert", _certificates.CertificatePath, "-cert_chain",
                _certificates.CertificatePath, "-key", _certificates.KeyPath, "-CAfile", _certificates.AuthorityPath, "-quiet", use, _session,
            ];
            using ChildProcess client = ChildProcess.Start(new ProgramCommand("openssl", "openssl", arguments));
            await client.Input.BaseStream.WriteAsync(s_opening);
            await client.Input.BaseStream.FlushAsync();
            byte[] settings = new byte[9];
            int count = await client.Output.BaseStream.ReadAtLeastAsync(settings, settings.Length, throwOnEndOfStream: false).AsTask()
                .WaitAsync(RunningServer.Patience);
            return count == settings.Length;
        }
    }

    [Theory]
    [InlineData(SslProtocols.Tls12)]
    [InlineData(SslProtocols.Tls13)]
    public async Task Dotnet_client_can_resume_its_TLS_session(SslProtocols version)
    {
        await using LarderServer server = await StartAsync();
        using var leaf = X509Certificate2.CreateFromPemFile(_certificates.CertificatePath, _certificates.KeyPath);
        X509Certificate2Collection chain = [];
        chain.ImportFromPemFile(_certificates.CertificatePath);
        var context = SslStreamCertificateContext.Create(leaf, [.. chain.Skip(1)], offline: true);
        for (int connection = 0; connection < 2; connection++)
        {
            using TcpClient socket = new("127.0.0.1", server.Endpoint.Port);
            await using SslStream tls = new(socket.GetStream());
            X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            policy.CustomTrustStore.Add(_certificates.Authority);
            await tls.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
            {
                TargetHost = "localhost",
                ApplicationProtocols = [SslApplicationProtocol.Http2],
                EnabledSslProtocols = version,
                ClientCertificateContext = context,
                CertificateChainPolicy = policy,
            });
            await tls.WriteAsync(s_opening);
            await tls.ReadExactlyAsync(new byte[9]).AsTask().WaitAsync(RunningServer.Patience);
        }
    }

    [Fact]
    public async Task Python_client_can_resume_its_TLS_session()
    {
        const string Program = """
            import socket, ssl, sys
            port, cert, key, ca = sys.argv[1:]
            context = ssl.create_default_context(cafile=ca)
            context.set_alpn_protocols(["h2"])
            context.load_cert_chain(cert, key)
            session = None
            for _ in range(2):
                tls = context.wrap_socket(socket.create_connection(("127.0.0.1", int(port))), server_hostname="localhost", session=session)
                tls.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0")
                print("served" if tls.recv(9) else "closed")
                session = tls.session
                tls.close()
            """;
        await AssertServedTwiceAsync(Checkout.At("tools/python"), "-c", Program);
    }

    [Fact]
    public async Task Node_client_can_resume_its_TLS_session()
    {
        const string Program = """
            const tls = require("node:tls"), fs = require("node:fs");
            const [port, cert, key, ca] = process.argv.slice(1);
            let session;
            function connect(left) {
              const options = { port: Number(port), host: "127.0.0.1", servername: "localhost", ALPNProtocols: ["h2"], session,
                cert: fs.readFileSync(cert), key: fs.readFileSync(key), ca: fs.readFileSync(ca) };
              const socket = tls.connect(options, () => socket.write(Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", "latin1")));
              socket.on("session", (given) => { session = given; });
              socket.once("data", () => { console.log("served"); socket.destroy(); if (left > 1) connect(left - 1); });
              socket.on("error", () => console.log("closed"));
            }
            connect(2);
            """;
        await AssertServedTwiceAsync("node", "-e", Program);
    }

    private async Task AssertServedTwiceAsync(string program, params string[] arguments)
    {
        await using LarderServer server = await StartAsync();
        string[] files = [$"{server.Endpoint.Port}", _certificates.CertificatePath, _certificates.KeyPath, _certificates.AuthorityPath];
        ProgramRun run = await ProgramRun.OfAsync(new ProgramCommand(program, program, [.. arguments, .. files]), patience: RunningServer.Patience);
        Assert.True(run.Output == "served\nserved\n", run.Log);
    }

    private Task<LarderServer> StartAsync() => LarderServer.StartAsync(new ServerOptions
    {
        Port = 0,
        ConsolePort = 0,
        MemoryBytes = 64L << 20,
        LongestBusyGap = TimeSpan.FromHours(1),
        TlsCertificatePath = _certificates.CertificatePath,
        TlsKeyPath = _certificates.KeyPath,
        ClientAuthorityPath = _certificates.AuthorityPath,
    });
}
