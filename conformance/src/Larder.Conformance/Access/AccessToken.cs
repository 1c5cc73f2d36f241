using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>
/// A token and its rights in one cache. The rights on items apply to all keys, or only to keys with <see cref="Prefix"/>. The token can also have rights on the
/// topics of the cache. An administrator may make every call.
/// </summary>
internal sealed record AccessToken(string Id, AccessRole Role, bool HasPrefix = false, AccessRole Topics = AccessRole.Open, string? Expires = null)
{
    public const string Prefix = "p:";

    /// <summary>Gets the secret that the client presents; null if it presents no token.</summary>
    public string? Secret => Id.Length == 0 ? null : $"{Id}-secret";

    /// <summary>
    /// Returns whether the token permits a call. <paramref name="isOwnKey"/> specifies whether the key has the prefix of the token. For a call without keys, it
    /// must be true.
    /// </summary>
    public bool May(ClientCall call, bool isOwnCache, bool isOwnKey)
    {
        AccessRole has = call.IsOfTopics && Role != AccessRole.Admin ? Topics : Role;
        return call.Needs == AccessRole.Open || (isOwnCache && (has & call.Needs) == call.Needs && (isOwnKey || !HasPrefix));
    }

    /// <summary>Returns the token's entry in a token file.</summary>
    public string Entry(string cache)
    {
        JsonObject grant = new() { ["cache"] = cache };
        Add(grant, "role", Role);
        Add(grant, "topics", Topics);
        if (HasPrefix)
        {
            grant["keyPrefix"] = Prefix;
        }

        JsonObject entry = new()
        {
            ["id"] = Id,
            ["sha256"] = new JsonArray(Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(Secret!)))),
            ["grants"] = new JsonArray(grant),
        };
        if (Expires is not null)
        {
            entry["expires"] = Expires;
        }

        return entry.ToJsonString();
    }

    private static void Add(JsonObject grant, string field, AccessRole role)
    {
        if (role != AccessRole.Open)
        {
            grant[field] = role.ToString().ToLowerInvariant();
        }
    }
}
