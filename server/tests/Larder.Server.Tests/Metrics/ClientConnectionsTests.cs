using Larder.Server.Metrics;
using Larder.Wire;

namespace Larder.Server.Tests.Metrics;

public sealed class ClientConnectionsTests
{
    [Theory]
    [InlineData("larder-dotnet:0.1.0", "", "larder-dotnet:0.1.0", ".NET")]
    [InlineData("larder-node:0.1.0", "grpc-node-js/1.14.7", "larder-node:0.1.0", "Node")]
    [InlineData("nodejs:cache:1.118.1", "", "nodejs:cache:1.118.1", "Node")]
    [InlineData("", "grpc-python-asyncio/1.51.1 grpc-c/29.0.0 (linux; chttp2)", "grpc-python-asyncio/1.51.1", "Python")]
    [InlineData("", "grpc-go/1.60.0", "grpc-go/1.60.0", "Go")]
    [InlineData("", "tonic/0.12", "tonic/0.12", "Rust")]
    [InlineData("", "grpc-c++/1.51.1", "grpc-c++/1.51.1", "C++")]
    [InlineData("", "", "unknown", "")]
    [InlineData("<script>", "", "unknown", "")]
    [InlineData("cargo-gopher", "", "cargo-gopher", "")]
    public void ClientName_is_parsed_from_agent_headers_and_markup_is_rejected(string agent, string userAgent, string client, string language)
    {
        Assert.Equal(new ClientName(client, language), ClientName.Of(agent, userAgent));
    }

    [Fact]
    public void Client_name_count_is_limited_and_closed_connections_free_names()
    {
        ClientConnections clients = new();
        object[] tags = [.. Enumerable.Range(0, ClientConnections.MaxClients + 10).Select(number => clients.Open(Headers($"client-{number}")))];
        Assert.Equal(ClientConnections.MaxClients + 1, clients.Read().Count);
        Assert.Equal(("other", 10), (clients.Read()[0].Client.Client, clients.Read()[0].Connections));
        Array.ForEach(tags, clients.Close);
        clients.Close(null);
        Assert.Empty(clients.Read());
        clients.Open(Headers("client-70"));
        Assert.Equal("client-70", Assert.Single(clients.Read()).Client.Client);
    }

    [Fact]
    public void Long_client_name_is_truncated()
    {
        Assert.Equal(48, ClientName.Of(new string('a', 4_000), "").Client.Length);
    }

    private static RpcRequestHeaders Headers(string agent) => new(("agent", agent));
}
