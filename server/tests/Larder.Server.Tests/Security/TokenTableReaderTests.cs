using System.Text;
using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class TokenTableReaderTests
{
    private static readonly string Digest = TokensOnDisk.DigestOf("one");
    private static readonly string Other = TokensOnDisk.DigestOf("two");

    [Fact]
    public void Read_parses_tokens_grants_and_comments()
    {
        TokenTable table = Read($$"""
            // Who may do what.
            {"tokens": [
              {"id": "web", "sha256": ["{{Digest}}", "{{Other.ToUpperInvariant()}}"], "expires": "2027-01-01T00:00:00+01:00", "grants": [
                {"role": "read", "cache": "orders", "keyPrefix": "cart:"}, /* and */ {"role": "write", "cache": "*"}]},
              {"id": "spiffe://acme/jobs", "sha256": ["{{TokensOnDisk.DigestOf("three")}}"], "grants": [{"topics": "read", "cache": "größe 🛒"}]}
            ]}
            """);
        Assert.True(TokenDigest.TryOf("two", out TokenDigest second));
        TokenEntry web = table.Find(second)!.Entry;
        Assert.Equal("web", web.Id);
        Assert.Equal(new DateTimeOffset(2026, 12, 31, 23, 0, 0, TimeSpan.Zero), web.Expires);
        Assert.Equal(Rights.Write, web.In("orders").Whole);
        Assert.True(web.In("orders").Allows(Rights.ReadWrite, "cart:1"u8));
        Assert.False(web.In("orders").Allows(Rights.Read, "car"u8));
        Assert.False(web.In("elsewhere").Allows(Rights.Read, "cart:1"u8));
        TokenEntry jobs = table.Entries[1];
        Assert.Equal(Rights.Read, Assert.Single(jobs.Grants).Topics);
        Assert.True(jobs.In("größe 🛒").IsSome);
        Assert.False(jobs.In("größe").IsSome);
    }

    [Fact]
    public void File_without_tokens_grants_no_access()
    {
        Assert.Empty(Read("""{"tokens": []}""").Entries);
        Assert.Empty(TokenTableReader.Read((byte[])[0xEF, 0xBB, 0xBF, .. "{\"tokens\":[]}"u8]).Entries);
    }

    [Theory]
    [InlineData("", "invalid JSON")]
    [InlineData("{", "line 1")]
    [InlineData("[]", "the file must be an object with tokens")]
    [InlineData("{}", "tokens is missing")]
    [InlineData("""{"tokens": {}}""", "must be a list")]
    [InlineData("""{"tokens": [], "tokens": []}""", "duplicate members")]
    [InlineData("""{"tokens": [], "more": 1}""", "allowed are tokens")]
    [InlineData("""{"tokens": [1]}""", "tokens[0] must be an object")]
    [InlineData("""{"tokens": [{"sha256": ["D"], "grants": [G]}]}""", "tokens[0]: id is missing")]
    [InlineData("""{"tokens": [{"id": "", "sha256": ["D"], "grants": [G]}]}""", "1 to 255 printable")]
    [InlineData("""{"tokens": [{"id": "a b", "sha256": ["D"], "grants": [G]}]}""", "1 to 255 printable")]
    [InlineData("""{"tokens": [{"id": "é", "sha256": ["D"], "grants": [G]}]}""", "1 to 255 printable")]
    [InlineData("""{"tokens": [{"id": 1, "sha256": ["D"], "grants": [G]}]}""", "id must be a string")]
    [InlineData("""{"tokens": [{"id": "a", "grants": [G]}]}""", "tokens[0] 'a': sha256 is missing")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D", "E", "0"], "grants": [G]}]}""", "one digest, two while")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": "D", "grants": [G]}]}""", "sha256 must be a list")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["secret"], "grants": [G]}]}""", "sha256[0] must be 64 hexadecimal digits")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D", "D"], "grants": [G]}]}""", "is used twice")]
    [InlineData(
        """{"tokens": [{"id": "a", "sha256": ["D"], "grants": [G]}, {"id": "b", "sha256": ["D"], "grants": [G]}]}""",
        "'b': a sha256 value is used twice")]
    [InlineData(
        """{"tokens": [{"id": "a", "sha256": ["D"], "grants": [G]}, {"id": "a", "sha256": ["E"], "grants": [G]}]}""",
        "the id is used by another token")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"], "expires": "soon", "grants": [G]}]}""", "a time with offset")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"], "expires": "2027-01-01T00:00:00", "grants": [G]}]}""", "a time with offset")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"], "expires": "2027-01-01", "grants": [G]}]}""", "a time with offset")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"]}]}""", "grants is missing")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"], "grants": []}]}""", "grants is empty")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"], "grants": [{"role": "read"}]}]}""", "grants[0]: cache is missing")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"], "grants": [{"role": "read", "cache": " "}]}]}""", "not blank")]
    [InlineData(
        """{"tokens": [{"id": "a", "sha256": ["D"], "grants": [{"role": "reader", "cache": "c"}]}]}""",
        "role must be one of read, write, readwrite, admin")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"], "grants": [{"role": "Read", "cache": "c"}]}]}""", "role must be one of")]
    [InlineData(
        """{"tokens": [{"id": "a", "sha256": ["D"], "grants": [{"topics": "admin", "cache": "c"}]}]}""",
        "topics must be one of read, write, readwrite")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"], "grants": [{"cache": "c"}]}]}""", "role and topics are missing")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"], "grants": [{"role": "read", "cache": "c", "keyPrefix": ""}]}]}""", "keyPrefix is empty")]
    [InlineData(
        """{"tokens": [{"id": "a", "sha256": ["D"], "grants": [{"role": "admin", "cache": "c", "keyPrefix": "p"}]}]}""",
        "admin applies to a whole cache")]
    [InlineData("""{"tokens": [{"id": "a", "sha256": ["D"], "grants": [{"role": "read", "cache": "c", "keyPrefix": "\ud83d"}]}]}""", "Unicode")]
    [InlineData(
        """{"tokens": [{"id": "a", "sha256": ["D"], "grants": [{"role": "read", "cache": "c", "key": "p"}]}]}""",
        "allowed are role, cache, keyPrefix, topics")]
    public void Read_error_names_the_invalid_field_but_no_digest(string json, string said)
    {
        string text = json.Replace("\"D\"", $"\"{Digest}\"", StringComparison.Ordinal)
            .Replace("\"E\"", $"\"{Other}\"", StringComparison.Ordinal)
            .Replace("\"0\"", $"\"{new string('0', 64)}\"", StringComparison.Ordinal)
            .Replace("[G]", """[{"role": "read", "cache": "c"}]""", StringComparison.Ordinal);
        FormatException error = Assert.Throws<FormatException>(() => Read(text));
        Assert.Contains(said, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Digest, error.Message, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_rejects_invalid_UTF8()
    {
        string json = $$"""{"tokens": [{"id": "a", "sha256": ["{{Digest}}"], "grants": [{"role": "read", "cache": "c", "keyPrefix": "X"}]}]}""";
        byte[] text = Encoding.UTF8.GetBytes(json);
        text[Array.IndexOf(text, (byte)'X')] = 0xFF;
        Assert.Throws<FormatException>(() => TokenTableReader.Read(text));
    }

    [Fact]
    public void Read_accepts_ten_thousand_grants_of_one_token()
    {
        string grants = string.Join(
            ',',
            Enumerable.Range(0, 10_000).Select(static each => $$"""{"role": "read", "cache": "c", "keyPrefix": "k{{each:D5}}:"}"""));
        TokenTable table = Read($$"""{"tokens": [{"id": "a", "sha256": ["{{Digest}}"], "grants": [{{grants}}]}]}""");
        CacheRights rights = Assert.Single(table.Entries).In("c");
        for (int each = 0; each < 10_000; each++)
        {
            Assert.True(rights.Allows(Rights.Read, Encoding.UTF8.GetBytes($"k{each:D5}:x")));
            Assert.False(rights.Allows(Rights.Read, Encoding.UTF8.GetBytes($"k{each:D5}")));
        }
    }

    private static TokenTable Read(string json) => TokenTableReader.Read(Encoding.UTF8.GetBytes(json));
}
