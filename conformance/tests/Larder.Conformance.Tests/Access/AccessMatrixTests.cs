using System.Globalization;
using System.Text.Json.Nodes;
using Larder.Harness;

namespace Larder.Conformance.Tests.Access;

public sealed class AccessMatrixTests
{
    private static readonly string s_vectors = Checkout.At("protocol/vectors");
    private static readonly IReadOnlyList<ClientCall> s_calls = ClientCall.Load(s_vectors);
    private static readonly IReadOnlyList<(ClientCall Call, AccessRequest Request)> s_requests = Requests();

    [Fact]
    public void Only_cache_wide_calls_and_ping_have_requests_without_keys()
    {
        string[] keyless = [.. s_requests.Where(static each => !each.Request.HasKey).Select(static each => each.Call.Op)];
        Assert.Equal(["createCache", "deleteCache", "flushCache", "listCaches", "ping"], keyless);
    }

    [Fact]
    public void Naming_method_replaces_cache_and_every_key_of_request()
    {
        JsonObject batch = Request("setBatch").Naming("there", "q:1", "p:1");
        Assert.Equal("there", batch["cache"]!.GetValue<string>());
        string[] keys = [.. batch["items"]!.AsArray().Select(static item => item!["key"]!.GetValue<string>())];
        Assert.Equal("q:1", keys[^1]);
        Assert.All(keys[..^1], static key => Assert.Equal("p:1", key));
        Assert.Equal("q:1", Request("scanKeys").Naming("there", "q:1", "p:1")["prefix"]!.GetValue<string>());
    }

    [Fact]
    public async Task Client_that_follows_the_access_table_passes() =>
        Assert.Empty(Faulty(await AskAsync(static (_, _, code) => code)));

    [Fact]
    public async Task Access_check_fails_for_every_call_if_client_permits_everything()
    {
        // Every valid token permits a ping. A ping is therefore rejected only if its token is missing or invalid.
        IReadOnlyDictionary<string, List<string>> faults = await AskAsync(static (id, op, code) => id == "taken" && op == "ping" ? code : "");
        Assert.Equal(s_calls.Select(static call => call.Op), Faulty(faults));
    }

    [Theory]
    [InlineData("PermissionDenied")]
    [InlineData("Unavailable")]
    public async Task Client_that_rejects_an_allowed_call_fails(string code)
    {
        IReadOnlyDictionary<string, List<string>> faults = await AskAsync((id, op, right) => id == "write-p" && op == "set" && right == "" ? code : right);
        Assert.Equal(["set"], Faulty(faults));
        Assert.Equal([$"by 'write-p' in its own cache with its own key: {code}"], faults["set"]);
    }

    [Fact]
    public async Task Client_that_denies_permission_to_expired_token_fails()
    {
        IReadOnlyDictionary<string, List<string>> faults = await AskAsync(static (id, op, code) => id == "expired" && op == "get" ? "PermissionDenied" : code);
        Assert.Equal(["by 'expired': PermissionDenied"], faults["get"]);
    }

    [Fact]
    public async Task Access_run_fails_if_call_has_no_request_in_vectors()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("larder-roles-");
        string vectors = folder.CreateSubdirectory("vectors").FullName;
        File.Copy(Path.Combine(s_vectors, "get.json"), Path.Combine(vectors, "get.json"));
        const string Touch = """{"calls": [{"op": "touch", "rpc": "Touch", "role": "read", "of": "items"}]}""";
        await File.WriteAllTextAsync(Path.Combine(folder.FullName, "roles.json"), Touch);
        string agent = Path.Combine(folder.FullName, "agent.sh");
        await File.WriteAllTextAsync(agent, """echo '{"ready": {"agent": "idle", "protocol": 1}}'; cat > /dev/null""");
        await using var output = new StringWriter(CultureInfo.InvariantCulture);
        string[] arguments =
            ["--endpoint", "127.0.0.1:1", "--transport", "unary", "--agent", $"idle=sh {agent}", "--vectors", vectors, "--rule", AccessRun.Rule];
        Assert.Equal(1, await Conformance.MainAsync(arguments, output));
        const string Failure =
            "touch is permitted or rejected as specified for every role, cache and key prefix: no test vector contains a request for this call";
        Assert.Contains(Failure, output.ToString(), StringComparison.Ordinal);
        folder.Delete(recursive: true);
    }

    private static async Task<IReadOnlyDictionary<string, List<string>>> AskAsync(Func<string, string, string, string> otherwise)
    {
        using AccessFile file = new();
        AccessMatrix.WriteFile(file, "run");
        await using TableAgent agent = new(s_calls, file.FilePath) { Otherwise = otherwise };
        return await new AccessMatrix(agent, [], file, "run", s_requests).AskAsync();
    }

    private static IEnumerable<string> Faulty(IReadOnlyDictionary<string, List<string>> faults) =>
        faults.Where(static each => each.Value.Count > 0).Select(static each => each.Key);

    private static AccessRequest Request(string op) => s_requests.Single(each => each.Call.Op == op).Request;

    private static IReadOnlyList<(ClientCall Call, AccessRequest Request)> Requests()
    {
        IReadOnlyList<Case> cases = Vectors.Load(s_vectors);
        return [.. s_calls.Select(call => (call, AccessRequest.Of(call.Op, cases) ?? throw new InvalidDataException($"no request of {call.Op}")))];
    }
}
