using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Fleet;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

/// <summary>The base of tests that use a server with a token file and a key for disposable tokens.</summary>
#pragma warning disable CA1001 // Disposed of by DisposeAsync.
public abstract class DisposableTokenServer : IAsyncLifetime
#pragma warning restore CA1001
{
    private protected TokensOnDisk Tokens { get; } = new(
        TokensOnDisk.Entry("web", "readwrite", RunningServer.Cache),
        TokensOnDisk.Entry("cart", "read", RunningServer.Cache, "cart:"),
        TokensOnDisk.Entry("ops", "admin", "*"));

    private protected RunningServer Server { get; private set; } = null!;

    private protected string Keys => Tokens.Path + ".key";

    public async Task InitializeAsync()
    {
        TokenKeys.AddTo(Keys);
        Server = await StartAsync();
    }

    public async Task DisposeAsync()
    {
        await Server.DisposeAsync();
        Tokens.Dispose();
    }

    private protected Task<RunningServer> StartAsync(Func<ServerOptions, ServerOptions>? with = null) => RunningServer.StartAsync(
        options => (with is null ? options : with(options)) with { TokensPath = Tokens.Path, TokenKeyPath = Keys });

    private protected static GenerateDisposableTokenRequest Request(string issuer, Permissions? permissions, uint seconds) => new()
    {
        AuthToken = TokensOnDisk.SecretOf(issuer),
        Expires = new DisposableTokenExpires { ValidForSeconds = seconds },
        Permissions = permissions,
    };

    private protected async Task<GenerateDisposableTokenResponse> IssueAsync(
        string issuer,
        Permissions permissions,
        uint seconds = 600,
        RunningServer? server = null) =>
        await (server ?? Server).CallAsync<GenerateDisposableTokenResponse>(TokenService.Path, Request(issuer, permissions, seconds), new RpcHeaders());

    private protected Task<StatusCode> FailAsync(string issuer, Permissions permissions) => FailAsync(Request(issuer, permissions, 60));

    private protected Task<StatusCode> FailAsync(GenerateDisposableTokenRequest request) => RawAsync(request.ToByteArray());

    private protected async Task<StatusCode> RawAsync(byte[] request, string? token = null, RpcChannel? channel = null)
    {
        try
        {
            RpcMethod<byte[], byte[]> method = new(TokenService.Path, new RawCodec(), new RawCodec());
            RpcHeaders headers = token is null ? new RpcHeaders() : new RpcHeaders(new KeyValuePair<string, string>("authorization", token));
            await (channel ?? Server.Channel).UnaryAsync(method, request, headers, RunningServer.Patience, CancellationToken.None);
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }

    private protected async Task<(StatusCode Unary, StatusCode Pipelined)> GetAsync(string token, string key, RunningServer? server = null)
    {
        GetRequest request = new() { Key = CallHarness.Bytes(key) };
        StatusCode unary = await StatusAsync(async () => await (server ?? Server).CallAsync<GetResponse>(
            "/cache_client.Scs/Get",
            request,
            RunningServer.CacheHeaders().With("authorization", token)));
        StatusCode pipelined = StatusCode.Ok;
        StatusCode opened = await StatusAsync(async () =>
        {
            await using PipelineClient client = await OpenAsync(server ?? Server, token);
            Result result = await client.AskAsync(new Operation { Id = 1, Get = request });
            pipelined = result.OutcomeCase == Result.OutcomeOneofCase.Status ? (StatusCode)result.Status.Code : StatusCode.Ok;
        });
        return (unary, opened == StatusCode.Ok ? pipelined : opened);
    }

    private protected Task<StatusCode> SetAsync(string token, string key, string cache = RunningServer.Cache, RunningServer? server = null) =>
        StatusAsync(async () => await (server ?? Server).CallAsync<SetResponse>(
            "/cache_client.Scs/Set",
            new SetRequest { Key = CallHarness.Bytes(key), Value = CallHarness.Bytes("v"), TtlMs = 60_000 },
            RunningServer.CacheHeaders(cache).With("authorization", token)));

    private protected static Task<PipelineClient> OpenAsync(RunningServer server, string token) =>
        PipelineClient.OpenAsync(server, RunningServer.CacheHeaders().With("authorization", token));

    private protected static async Task AssertEndedAsync(PipelineClient client)
    {
        RpcException ended = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            while (await client.ReadAsync() is not null)
            {
            }
        });
        Assert.Equal(StatusCode.Unauthenticated, ended.Status.Code);
    }

    private protected async Task<string> ReadAsync(string path)
    {
        using HttpClient http = new();
        http.DefaultRequestHeaders.Authorization = new("Bearer", TokensOnDisk.SecretOf("ops"));
        return await http.GetStringAsync(new Uri(Server.Server.ConsoleEndpoint, path));
    }

    private static async Task<StatusCode> StatusAsync(Func<Task> call)
    {
        try
        {
            await call();
            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }
}
