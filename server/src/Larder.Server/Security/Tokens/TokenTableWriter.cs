using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Larder.Server.Security;

/// <summary>Adds entries to a token file. The other content of the file, including its comments, does not change.</summary>
internal static class TokenTableWriter
{
    private static readonly JsonWriterOptions Plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static readonly (string Role, Rights Rights)[] Roles =
        [("read", Rights.Read), ("write", Rights.Write), ("readwrite", Rights.ReadWrite), ("admin", Rights.All)];

    /// <summary>Returns the rights of a role; null if the name is unknown.</summary>
    public static Rights? RoleOf(string name) => Roles.Where(each => each.Role == name).Select(static each => (Rights?)each.Rights).FirstOrDefault();

    /// <summary>Formats a grant in the form that <c>--grant</c> accepts.</summary>
    public static string Describe(Grant grant)
    {
        string prefix = grant.KeyPrefix is { } bytes ? $":{Encoding.UTF8.GetString(bytes)}" : "";
        string role = grant.Rights == Rights.None ? "" : $"{NameOf(grant.Rights)}:{grant.Cache}{prefix}";
        string topics = grant.Topics == Rights.None ? "" : $"topics {NameOf(grant.Topics)}:{grant.Cache}";
        return string.Join(' ', new[] { role, topics }.Where(static each => each.Length > 0));
    }

    /// <summary>Formats an entry as one line of JSON.</summary>
    public static string Write(TokenEntry entry)
    {
        using MemoryStream bytes = new();
        using (Utf8JsonWriter json = new(bytes, Plain))
        {
            json.WriteStartObject();
            json.WriteString("id", entry.Id);
            json.WriteStartArray("sha256");
            foreach (TokenDigest digest in entry.Digests)
            {
                json.WriteStringValue(digest.ToString());
            }

            json.WriteEndArray();
            if (entry.Expires is { } expires)
            {
                json.WriteString("expires", expires.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture));
            }

            json.WriteStartArray("grants");
            foreach (Grant grant in entry.Grants)
            {
                Write(json, grant);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(bytes.ToArray());
    }

    /// <summary>Adds an entry to a file. The file is replaced atomically. If the file does not exist, creates it; only its owner can access it.</summary>
    /// <exception cref="FormatException">The file is invalid, or would be invalid with the new entry.</exception>
    /// <exception cref="ServerOptionsException">The file cannot be read or is too large.</exception>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Append(string path, string entry)
    {
        string target = PrivateFile.TargetOf(path);
        byte[] added = File.Exists(target) ? Added(TokenTableFile.ReadBytes("", target), entry) : Encoding.UTF8.GetBytes($"{{\"tokens\": [\n  {entry}\n]}}\n");
        TokenTableReader.Read(added);
        PrivateFile.Replace(target, added);
    }

    private static byte[] Added(byte[] file, string entry)
    {
        TokenTableReader.Read(file);
        (int lastEnd, int listEnd) = PlacesOf(file);
        byte[] comma = lastEnd > 0 ? [(byte)','] : [];
        int after = lastEnd > 0 ? lastEnd : listEnd;
        // Inserts the comma directly after the last entry, because a comment may follow that entry. Inserts the new entry on a separate line.
        return [.. file[..after], .. comma, .. file[after..listEnd], .. Encoding.UTF8.GetBytes($"\n  {entry}\n"), .. file[listEnd..]];
    }

    // Returns the end of the last entry (0 if there are no entries) and the position of the closing bracket of the list.
    private static (int LastEnd, int ListEnd) PlacesOf(byte[] file)
    {
        int mark = file.AsSpan().StartsWith(Encoding.UTF8.Preamble) ? Encoding.UTF8.Preamble.Length : 0;
        Utf8JsonReader reader = new(file.AsSpan(mark), new JsonReaderOptions { CommentHandling = JsonCommentHandling.Skip });
        int lastEnd = 0;
        while (reader.Read())
        {
            if (reader is { TokenType: JsonTokenType.EndObject, CurrentDepth: 2 })
            {
                lastEnd = mark + (int)reader.BytesConsumed;
            }
            else if (reader is { TokenType: JsonTokenType.EndArray, CurrentDepth: 1 })
            {
                return (lastEnd, mark + (int)reader.TokenStartIndex);
            }
        }

        throw new FormatException("the list of tokens is missing");
    }

    private static void Write(Utf8JsonWriter json, Grant grant)
    {
        json.WriteStartObject();
        if (grant.Rights != Rights.None)
        {
            json.WriteString("role", NameOf(grant.Rights));
        }

        json.WriteString("cache", grant.Cache);
        if (grant.KeyPrefix is { } prefix)
        {
            json.WriteString("keyPrefix", prefix);
        }

        if (grant.Topics != Rights.None)
        {
            json.WriteString("topics", NameOf(grant.Topics));
        }

        json.WriteEndObject();
    }

    private static string NameOf(Rights rights) => Roles.First(each => each.Rights == rights).Role;
}
