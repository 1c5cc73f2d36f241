using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Leases;
using Larder.Server.Security;
using Larder.Server.Services;
using Larder.Server.Tests.Pipeline;
using Larder.Wire;

namespace Larder.Server.Tests.Security;

/// <summary>
/// Derives the access rights of every token, call, cache and key from the table of operations, and checks them against a server. A call that passes the access
/// check may still fail because of an invalid argument or a missing cache. Only the access check is verified.
/// </summary>
internal static class AccessMatrix
{
    private const string Own = RunningServer.Cache;
    private const string Other = "other";
    private const string OwnKey = "p:1";
    private const string OtherKey = "q:1";

    // Tokens named after their rights. If the name contains a colon, the rights apply only to keys with the prefix "p:".
    private static readonly Who[] Known =
    [
        new("read", Rights.Read, false), new("write", Rights.Write, false), new("readwrite", Rights.ReadWrite, false),
        new("admin", Rights.All, false, Rights.ReadWrite),
        new("read:", Rights.Read, true), new("write:", Rights.Write, true), new("readwrite:", Rights.ReadWrite, true),
        new("read-topics", Rights.None, false, Rights.Read), new("write-topics", Rights.None, false, Rights.Write),
        new("readwrite-topics", Rights.None, false, Rights.ReadWrite),
    ];

    private static readonly string[] Strangers = ["expired", "unknown", ""];

    /// <summary>The entries of the token file.</summary>
    public static string[] Entries { get; } =
    [
        .. Known.Select(static each => each.Rights == Rights.None
            ? TokensOnDisk.TopicEntry(each.Id, each.Id.Split('-')[0], Own)
            : TokensOnDisk.Entry(each.Id, each.Id.TrimEnd(':'), Own, each.HasPrefix ? "p:" : null)),
        TokensOnDisk.Entry("expired", "admin", "*", expires: "2001-01-01T00:00:00Z"),
    ];

    /// <summary>Checks every call over gRPC, for every token, cache and key.</summary>
    public static async Task AssertUnaryAsync(RunningServer server)
    {
        foreach ((CallPolicy policy, bool isStronger) in Calls())
        {
            foreach (string stranger in Strangers)
            {
                StatusCode status = await UnaryAsync(server, stranger, policy, Own, OwnKey, isStronger);
                Assert.True(status == StatusCode.Unauthenticated, $"{policy.Path} by '{stranger}': {status}");
            }

            foreach ((Who token, string cache, string key) in Places())
            {
                bool isDenied = IsDenied(policy, isStronger, token, cache, key);
                StatusCode status = await UnaryAsync(server, token.Id, policy, cache, key, isStronger);
                Assert.True(
                    isDenied == (status == StatusCode.PermissionDenied) && status != StatusCode.Unauthenticated,
                    $"{policy.Path} by '{token.Id}' in {cache} with {key}: {status}");
            }
        }
    }

    public static async Task AssertPipelineAsync(RunningServer server)
    {
        foreach (string stranger in Strangers)
        {
            RpcException refused = await Assert.ThrowsAsync<RpcException>(() => PipelineClient.OpenAsync(server, Headers(stranger, Own)));
            Assert.Equal(StatusCode.Unauthenticated, refused.Status.Code);
        }

        foreach (Who token in Known)
        {
            await using PipelineClient client = await PipelineClient.OpenAsync(server, Headers(token.Id, Own));
            await using PipelineClient elsewhere = await PipelineClient.OpenAsync(server, Headers(token.Id, Other));
            foreach ((CallPolicy policy, bool isStronger) in Calls().Where(static each => each.Policy.PipelineField != 0))
            {
                foreach ((_, string cache, string key) in Places().Where(each => each.Token == token))
                {
                    IMessage request = RequestOf.Naming(policy, key, cache, isStronger);
                    StatusCode expected = IsDenied(policy, isStronger, token, cache, key) ? StatusCode.PermissionDenied : StatusCode.Ok;
                    string place = $"{policy.Path} by '{token.Id}' in {cache} with {key}";
                    // Run the operation twice: once with its own cache and once with the cache of the stream.
                    AssertUnauthenticated(expected, await AskAsync(client, RequestOf.Operation(policy, request, cache)), place);
                    AssertUnauthenticated(expected, await AskAsync(cache == Own ? client : elsewhere, RequestOf.Operation(policy, request, "")), place);
                }
            }
        }
    }

    private static bool IsDenied(CallPolicy policy, bool isStronger, Who token, string cache, string key)
    {
        Rights needs = isStronger ? policy.StrongerNeeds : policy.Needs;
        if (needs == Rights.None)
        {
            return false;
        }

        // A scan without a prefix is allowed: it returns the keys that the token has permission to read.
        bool isKeyOutside = token.HasPrefix && key != OwnKey && policy.Keys.Length > 0;

        // The removal of a tag may affect any key.
        isKeyOutside |= token.HasPrefix && policy.Path == LeaseService.RemoveByTagPath;
        Rights has = policy.IsOfTopics ? token.Topics : token.Rights;
        return cache != Own || (has & needs) != needs || isKeyOutside;
    }

    // Calls that delete a cache are the last ones, because a call on a missing cache fails before its keys are checked.
    private static IEnumerable<(CallPolicy Policy, bool IsStronger)> Calls() =>
        CallPolicies.All.OrderBy(static each => each.Needs == Rights.Admin)
            .SelectMany(static each => each.StrongerArm == 0 ? new[] { (each, false) } : [(each, false), (each, true)]);

    private static IEnumerable<(Who Token, string Cache, string Key)> Places() =>
        from token in Known
        from cache in (string[])[Own, Other]
        from key in (string[])[OwnKey, OtherKey]
        select (token, cache, key);

    private static async Task<StatusCode> UnaryAsync(RunningServer server, string token, CallPolicy policy, string cache, string key, bool isStronger)
    {
        IMessage request = RequestOf.Naming(policy, key, cache, isStronger);
        RpcMethod<byte[], byte[]> method = new(policy.Path, new RawCodec(), new RawCodec());
        try
        {
            IAsyncEnumerable<byte[]> answers = server.Channel.ServerStreamAsync(
                method,
                request.ToByteArray(),
                Headers(token, cache),
                RunningServer.Patience,
                CancellationToken.None);
            await foreach (byte[] answer in answers)
            {
                Assert.NotNull(answer);
                if (policy.Path == PubsubService.SubscribePath)
                {
                    // Stop here, because the stream would continue forever.
                    break;
                }
            }

            return StatusCode.Ok;
        }
        catch (RpcException error)
        {
            return error.Status.Code;
        }
    }

    private static async Task<Result> AskAsync(PipelineClient client, Operation operation)
    {
        await client.SendAsync(operation);
        return (await client.ReadResultsAsync(1))[operation.Id];
    }

    private static void AssertUnauthenticated(StatusCode expected, Result result, string place)
    {
        StatusCode status = result.OutcomeCase == Result.OutcomeOneofCase.Status ? (StatusCode)result.Status.Code : StatusCode.Ok;
        Assert.True(
            (expected == StatusCode.PermissionDenied) == (status == StatusCode.PermissionDenied) && status != StatusCode.Unauthenticated,
            $"{place}: {status}");
    }

    private sealed record Who(string Id, Rights Rights, bool HasPrefix, Rights Topics = Rights.None);

    private static RpcHeaders Headers(string token, string cache) =>
        token.Length == 0 ? RunningServer.CacheHeaders(cache) : RunningServer.CacheHeaders(cache).With("authorization", TokensOnDisk.SecretOf(token));
}
