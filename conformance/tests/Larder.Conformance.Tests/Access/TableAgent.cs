using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using Larder.Harness.Agents;

namespace Larder.Conformance.Tests.Access;

/// <summary>An agent without a server. It responds according to the operation table and a token file. A test can override the responses.</summary>
internal sealed class TableAgent(IReadOnlyList<ClientCall> calls, string tokensPath) : IAgent
{
    private string _token = "";

    /// <summary>
    /// Gets the function that overrides a response. Its arguments are the token's id, the operation and the error code (empty for success). It returns the
    /// error code to use.
    /// </summary>
    public Func<string, string, string, string> Otherwise { get; init; } = static (_, _, code) => code;

    public Task<JsonObject> AskAsync(JsonObject request, Action<JsonObject>? onProgress = null)
    {
        string op = request["op"]!.GetValue<string>();
        if (op is "open" or "close")
        {
            _token = request["token"]?.GetValue<string>() ?? "";
            return Task.FromResult(new JsonObject { ["result"] = "success" });
        }

        JsonObject? entry = JsonNode.Parse(File.ReadAllText(tokensPath))!["tokens"]!.AsArray().Select(static each => each!.AsObject())
            .FirstOrDefault(each => each["sha256"]![0]!.GetValue<string>() == Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(_token))));
        string code = Otherwise(_token.Replace("-secret", "", StringComparison.Ordinal), op, CodeOf(entry, op, request));
        return Task.FromResult(code.Length == 0
            ? new JsonObject { ["result"] = "success" }
            : new JsonObject { ["result"] = "error", ["error"] = new JsonObject { ["code"] = code } });
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private string CodeOf(JsonObject? entry, string op, JsonObject request)
    {
        if (entry is null || entry.ContainsKey("expires"))
        {
            return "Unauthenticated";
        }

        JsonNode grant = entry["grants"]![0]!;
        ClientCall called = calls.Single(call => call.Op == op);
        AccessRole needs = called.Needs;
        AccessRole role = Role(grant["role"]);
        AccessRole has = called.IsOfTopics && role != AccessRole.Admin ? Role(grant["topics"]) : role;
        string prefix = grant["keyPrefix"]?.GetValue<string>() ?? "";
        bool isAllowed = needs == AccessRole.Open
            || (request["cache"]!.GetValue<string>() == grant["cache"]!.GetValue<string>() && (has & needs) == needs
                && Keys(request).All(key => key.StartsWith(prefix, StringComparison.Ordinal)));
        return isAllowed ? "" : "PermissionDenied";
    }

    private static AccessRole Role(JsonNode? name) => name is null ? AccessRole.Open : Enum.Parse<AccessRole>(name.GetValue<string>(), ignoreCase: true);

    private static IEnumerable<string> Keys(JsonObject request)
    {
        IEnumerable<JsonNode?> lists = ((string[])["keys", "items", "sources"]).SelectMany(name => request[name]?.AsArray() ?? []);
        return lists.Select(static item => item is JsonObject named ? named["key"] : item as JsonValue).Append(request["key"]).Append(request["prefix"])
            .OfType<JsonValue>().Select(static key => key.GetValue<string>());
    }
}
