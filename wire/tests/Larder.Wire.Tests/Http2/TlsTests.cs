using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Larder.Protocol;
using Larder.Wire.Tests.Sockets;

namespace Larder.Wire.Tests.Http2;

public sealed class TlsTests
{
    [TimedFact]
    public async Task Small_and_large_calls_succeed_over_TLS()
    {
        using X509Certificate2 certificate = TestCertificate.Make();
        await using TestServer server = await TestServer.StartAsync(
            TestCalls.MapEcho,
            hosting: new RpcServerOptions { Tls = () => new SslServerAuthenticationOptions { ServerCertificate = certificate } });
        await using RpcChannel channel = server.Connect(options =>
            Trusting(options with { Endpoint = new Uri($"https://127.0.0.1:{server.Endpoint.Port}") }, certificate));
        string[] keys = [.. Enumerable.Range(0, 200).Select(index => new string('k', index * 1_000))];
        GetResponse[] responses = await Task.WhenAll(keys.Select(key => channel.GetAsync(key).AsTask()));
        Assert.Equal(keys, responses.Select(response => response.Value.ToStringUtf8()));
    }

    [TimedFact]
    public async Task Connect_fails_when_server_does_not_negotiate_HTTP_2()
    {
        using X509Certificate2 certificate = TestCertificate.Make();
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        Task serving = ServeWithoutProtocolAsync(listener, certificate);
        await using RpcChannel channel = new(
            Trusting(new RpcChannelOptions { Endpoint = new Uri($"https://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}") }, certificate));
        RpcException error = await Assert.ThrowsAsync<RpcException>(async () => await channel.GetAsync("k"));
        Assert.Equal((StatusCode.Unavailable, true), (error.Status.Code, error.NotProcessed));
        Assert.Contains("HTTP/2", error.Status.Message, StringComparison.Ordinal);
        await serving.WaitAsync(TestCalls.Patience);
    }

    private static RpcChannelOptions Trusting(RpcChannelOptions options, X509Certificate2 certificate)
    {
        X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.Add(certificate);
        return options with { SslOptions = new SslClientAuthenticationOptions { CertificateChainPolicy = policy } };
    }

    private static async Task ServeWithoutProtocolAsync(TcpListener listener, X509Certificate2 certificate)
    {
        using TcpClient client = await listener.AcceptTcpClientAsync().WaitAsync(TestCalls.Patience);
        await using SslStream secure = new(client.GetStream());
        try
        {
            await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = certificate });
            await secure.ReadAtLeastAsync(new byte[1], 1, throwOnEndOfStream: false);
        }
        catch (Exception error) when (error is IOException or AuthenticationException)
        {
            // The client has disconnected.
        }
    }
}
