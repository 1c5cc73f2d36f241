using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Larder.Server.Security;

/// <summary>
/// Parses a token file. The file is JSON. Comments are allowed. Unknown members and duplicate members are not allowed. An error message contains the location
/// of the error and what to do, and never contains a digest.
/// </summary>
internal static class TokenTableReader
{
    private const int MaxIdCharacters = 255;
    private const string Id = "id";
    private const string Digests = "sha256";
    private const string Expires = "expires";
    private const string Grants = "grants";
    private const string Role = "role";
    private const string Cache = "cache";
    private const string KeyPrefix = "keyPrefix";
    private const string Topics = "topics";

    private static readonly JsonDocumentOptions Strict = new() { CommentHandling = JsonCommentHandling.Skip, AllowDuplicateProperties = false, MaxDepth = 8 };
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    // Seconds and offset are required. A time without an offset would depend on the time zone of the machine.
    private static readonly string[] Times = ["yyyy-MM-dd'T'HH:mm:ssK", "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK"];

    /// <summary>Parses the bytes of a token file.</summary>
    /// <exception cref="FormatException">The file is invalid.</exception>
    public static TokenTable Read(ReadOnlyMemory<byte> json, TokenKeys? keys = null)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(WithoutMark(json), Strict);
            return ReadTable(document.RootElement, keys);
        }
        catch (JsonException error)
        {
            string place = $"line {error.LineNumber + 1}, byte {error.BytePositionInLine + 1}";
            throw new FormatException($"invalid JSON (comments are allowed, duplicate members are not): {place}", error);
        }
        catch (InvalidOperationException error)
        {
            // A string contains an unpaired surrogate. JSON can express it as an escape sequence, but it is not valid Unicode.
            throw new FormatException("a string is not valid Unicode", error);
        }
    }

    /// <summary>Parses a time with an offset, such as <c>2027-01-01T00:00:00Z</c>.</summary>
    public static bool TryReadTime(string text, out DateTimeOffset time) =>
        DateTimeOffset.TryParseExact(text, Times, CultureInfo.InvariantCulture, DateTimeStyles.None, out time)
        && (text.EndsWith('Z') || text[^6] is '+' or '-');

    private static ReadOnlyMemory<byte> WithoutMark(ReadOnlyMemory<byte> json) => json.Span.StartsWith((byte[])[0xEF, 0xBB, 0xBF]) ? json[3..] : json;

    private static TokenTable ReadTable(JsonElement root, TokenKeys? keys)
    {
        RequireMembers(root, "the file", ["tokens"]);
        List<TokenEntry> entries = [];
        HashSet<string> ids = new(StringComparer.Ordinal);
        HashSet<TokenDigest> digests = [];
        foreach (JsonElement each in List(root, "tokens", "the file"))
        {
            TokenEntry entry = ReadEntry(each, $"tokens[{entries.Count}]");
            string place = $"tokens[{entries.Count}] '{entry.Id}'";
            Require(ids.Add(entry.Id), $"{place}: the id is used by another token; ids must be unique");
            Require(entry.Digests.All(digests.Add), $"{place}: a {Digests} value is used twice; each token must have its own");
            entries.Add(entry);
        }

        return new TokenTable(entries, keys);
    }

    private static TokenEntry ReadEntry(JsonElement entry, string place)
    {
        RequireMembers(entry, place, [Id, Digests, Expires, Grants]);
        string id = Text(entry, Id, place) ?? throw Missing(place, Id);
        Require(IsId(id), $"{place}: {Id} must be 1 to {MaxIdCharacters} printable ASCII characters without spaces and quotes");
        place = $"{place} '{id}'";
        List<TokenDigest> digests = [];
        foreach (JsonElement each in List(entry, Digests, place))
        {
            TokenDigest digest = default;
            Require(
                each.ValueKind == JsonValueKind.String && TokenDigest.TryParse(each.GetString()!, out digest),
                $"{place}: {Digests}[{digests.Count}] must be 64 hexadecimal digits: the SHA-256 of the token, not the token itself");
            digests.Add(digest);
        }

        Require(
            digests.Count <= 2,
            $"{place}: {Digests} must have one digest, two while a token is rotated, or none if clients authenticate with certificates");
        List<Grant> grants = [];
        foreach (JsonElement each in List(entry, Grants, place))
        {
            grants.Add(ReadGrant(each, $"{place}: {Grants}[{grants.Count}]"));
        }

        Require(grants.Count > 0, $"{place}: {Grants} is empty; add a grant or remove the token");
        return new TokenEntry(id, digests, ReadTime(Text(entry, Expires, place), place), grants);
    }

    private static Grant ReadGrant(JsonElement grant, string place)
    {
        RequireMembers(grant, place, [Role, Cache, KeyPrefix, Topics]);
        string cache = Text(grant, Cache, place) ?? throw Missing(place, Cache);
        Require(
            CacheName.IsValid(cache),
            $"{place}: {Cache} must be 1 to {CacheName.MaxCharacters} characters and not blank; use '{Grant.AllCaches}' for all caches");
        RequireText(cache, place, Cache);
        Rights rights = ReadRole(Text(grant, Role, place), Rights.All, place, Role);
        Rights topics = ReadRole(Text(grant, Topics, place), Rights.ReadWrite, place, Topics);
        Require((rights | topics) != Rights.None, $"{place}: {Role} and {Topics} are missing; set at least one");
        string? prefix = Text(grant, KeyPrefix, place);
        Require(prefix is not "", $"{place}: {KeyPrefix} is empty; remove it to allow every key");
        Require(
            prefix is null || rights is not (Rights.All or Rights.None),
            $"{place}: {KeyPrefix} requires the role read, write or readwrite; admin applies to a whole cache");
        return new Grant(cache, rights, prefix is null ? null : Utf8.GetBytes(RequireText(prefix, place, KeyPrefix)), topics);
    }

    private static Rights ReadRole(string? role, Rights most, string place, string member)
    {
        Rights rights = role switch
        {
            null => Rights.None,
            "read" => Rights.Read,
            "write" => Rights.Write,
            "readwrite" => Rights.ReadWrite,
            "admin" => Rights.All,
            _ => most + 1,
        };
        string roles = most == Rights.All ? "read, write, readwrite, admin" : "read, write, readwrite";
        Require(rights <= most, $"{place}: {member} must be one of {roles}");
        return rights;
    }

    private static DateTimeOffset? ReadTime(string? text, string place)
    {
        if (text is null)
        {
            return null;
        }

        Require(TryReadTime(text, out DateTimeOffset time), $"{place}: {Expires} must be a time with offset, such as 2027-01-01T00:00:00Z");
        return time;
    }

    private static bool IsId(string id) =>
        id.Length is >= 1 and <= MaxIdCharacters && id.All(static each => each is > ' ' and < (char)0x7F and not ('"' or '\'' or '\\'));

    private static string RequireText(string text, string place, string member)
    {
        try
        {
            _ = Utf8.GetByteCount(text);
            return text;
        }
        catch (EncoderFallbackException error)
        {
            throw new FormatException($"{place}: {member} is not valid Unicode", error);
        }
    }

    private static string? Text(JsonElement from, string member, string place)
    {
        if (!from.TryGetProperty(member, out JsonElement value))
        {
            return null;
        }

        return value.ValueKind == JsonValueKind.String ? value.GetString() : throw new FormatException($"{place}: {member} must be a string");
    }

    private static JsonElement.ArrayEnumerator List(JsonElement from, string member, string place) =>
        !from.TryGetProperty(member, out JsonElement value) ? throw Missing(place, member)
        : value.ValueKind == JsonValueKind.Array ? value.EnumerateArray()
        : throw new FormatException($"{place}: {member} must be a list");

    private static void RequireMembers(JsonElement from, string place, string[] known)
    {
        Require(from.ValueKind == JsonValueKind.Object, $"{place} must be an object with {string.Join(", ", known)}");
        foreach (JsonProperty member in from.EnumerateObject())
        {
            Require(known.Any(member.NameEquals), $"{place} has an unknown member; allowed are {string.Join(", ", known)}");
        }
    }

    private static FormatException Missing(string place, string member) => new($"{place}: {member} is missing");

    private static void Require(bool holds, string fault)
    {
        if (!holds)
        {
            throw new FormatException(fault);
        }
    }
}
