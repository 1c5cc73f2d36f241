using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;

namespace Larder.Conformance;

/// <summary>
/// Somebody who calls: what they may do in one cache, for every key or for those with <see cref="Prefix"/>, and with its topics. An administrator may do all.
/// </summary>
internal sealed record AccessToken(string Id, AccessRole Role, bool HasPrefix = false, AccessRole Topics = AccessRole.Open, string? Expires = null)
{
    public const string Prefix = "p:";

    /// <summary>What the client shows; null: it shows none.</summary>
    public string? Secret => Id.Length == 0 ? null : $"{Id}-secret";

    /// <summary>Whether a call may be made; <paramref name="isOwnKey"/> says nothing of a call without keys.</summary>
    public bool May(ClientCall call, bool isOwnCache, bool isOwnKey)
    {
        AccessRole has = call.IsOfTopics && Role != AccessRole.Admin ? Topics : Role;
        return call.Needs == AccessRole.Open || (isOwnCache && (has & call.Needs) == call.Needs && (isOwnKey || !HasPrefix));
    }

    /// <summary>Its entry in a file of tokens.</summary>
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
