using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class TokenCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-token-").FullName;

    private string FilePath => Path.Combine(_folder, "tokens.json");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task New_command_prints_a_token_and_its_matching_file_entry()
    {
        (int code, string output, _) = await RunAsync("new", "--id", "web", "--grant", "readwrite:orders", "--grant", "read:*:cart:", "--expires", "90d");
        string[] lines = output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal((0, 2), (code, lines.Length));
        Assert.Matches("^larder_[A-Za-z0-9_-]{43}$", lines[0]);
        Assert.DoesNotContain(lines[0], lines[1], StringComparison.Ordinal);
        TokenTable table = TokenTableReader.Read(System.Text.Encoding.UTF8.GetBytes($$"""{"tokens": [{{lines[1]}}]}"""));
        Assert.True(TokenDigest.TryOf(lines[0], out TokenDigest digest));
        TokenEntry entry = table.Find(digest)!.Entry;
        Assert.Equal("web", entry.Id);
        Assert.True(entry.In("orders").Has(Rights.ReadWrite));
        Assert.True(entry.In("elsewhere").Allows(Rights.Read, "cart:1"u8));
        Assert.InRange(entry.Expires!.Value, DateTimeOffset.UtcNow.AddDays(89), DateTimeOffset.UtcNow.AddDays(90));
    }

    [Fact]
    public async Task Key_command_adds_a_signing_key_without_printing_it()
    {
        string path = Path.Combine(_folder, "token.key");
        for (int made = 1; made <= 2; made++)
        {
            (int code, string output, string errors) = await RunAsync("key", path);
            Assert.Equal((0, ""), (code, output));
            Assert.DoesNotContain("larder_key_", errors, StringComparison.Ordinal);
            Assert.Equal(made, (await File.ReadAllLinesAsync(path)).Count(static line => line.StartsWith("larder_key_", StringComparison.Ordinal)));
        }

        await File.WriteAllTextAsync(path, "no key");
        Assert.Equal(2, (await RunAsync("key", path)).Code);
        Assert.Equal("no key", await File.ReadAllTextAsync(path));
        Assert.Equal(2, (await RunAsync("key", Path.Combine(_folder, "nowhere", "token.key"))).Code);
    }

    [Fact]
    public async Task New_command_prints_a_different_token_each_time()
    {
        HashSet<string> seen = [];
        for (int each = 0; each < 20; each++)
        {
            Assert.True(seen.Add((await RunAsync("new", "--id", "a", "--grant", "read:c")).Output.Split('\n')[0]));
        }
    }

    [Theory]
    [InlineData(null, 1)]
    [InlineData("{\"tokens\": []}", 1)]
    [InlineData("// who\n{\n  \"tokens\": [] // nobody yet\n}\n", 1)]
    [InlineData("{\"tokens\": [\n  E // the first, ] and {\n  /* last */\n]}", 2)]
    [InlineData("\uFEFF{\"tokens\": [E]}", 2)]
    public async Task Append_option_adds_an_entry_and_keeps_comments(string? before, int count)
    {
        string? text = before?.Replace("E", TokensOnDisk.Entry("first", "read", "c"), StringComparison.Ordinal);
        if (text is not null)
        {
            await File.WriteAllTextAsync(FilePath, text);
        }

        (int code, string output, _) = await RunAsync("new", "--id", "web", "--grant", "admin:*", "--append", FilePath);
        Assert.Equal(0, code);
        string after = await File.ReadAllTextAsync(FilePath);
        Assert.DoesNotContain(output.Trim(), after, StringComparison.Ordinal);
        TokenTable table = TokenTableFile.Read("--tokens", FilePath);
        Assert.Equal(count, table.Entries.Count);
        Assert.True(TokenDigest.TryOf(output.Trim(), out TokenDigest digest));
        Assert.Equal("web", table.Find(digest)!.Entry.Id);
        foreach (string comment in (string[])["// who", "// nobody yet", "// the first, ] and {", "/* last */"])
        {
            Assert.Equal(before?.Contains(comment, StringComparison.Ordinal) ?? false, after.Contains(comment, StringComparison.Ordinal));
        }

        Assert.Single(Directory.GetFiles(_folder));
        Assert.True(text is not null || !TokenTableFile.IsOpenToOthers(FilePath));
    }

    [Fact]
    public async Task Append_option_leaves_invalid_file_or_existing_id_unchanged()
    {
        foreach (string text in (string[])["broken", $$"""{"tokens": [{{TokensOnDisk.Entry("web", "read", "c")}}]}"""])
        {
            await File.WriteAllTextAsync(FilePath, text);
            (int code, string output, string errors) = await RunAsync("new", "--id", "web", "--grant", "read:c", "--append", FilePath);
            Assert.Equal((2, "", text), (code, output, await File.ReadAllTextAsync(FilePath)));
            Assert.Contains(FilePath, errors, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("new", "--id", "web")]
    [InlineData("new", "--grant", "read:c")]
    [InlineData("new", "--id", "web", "--grant", "read")]
    [InlineData("new", "--id", "web", "--grant", "reader:c")]
    [InlineData("new", "--id", "web", "--grant", "read: ")]
    [InlineData("new", "--id", "web", "--grant", "admin:c:prefix")]
    [InlineData("new", "--id", "a b", "--grant", "read:c")]
    [InlineData("new", "--id", "web", "--grant", "read:c", "--expires", "soon")]
    [InlineData("new", "--id", "web", "--grant", "read:c", "--expires", "2027-01-01")]
    [InlineData("check", "/nowhere/tokens.json")]
    [InlineData("list", "/nowhere/tokens.json")]
    [InlineData("nonsense")]
    public async Task Invalid_command_creates_no_token_and_prints_an_error(params string[] arguments)
    {
        (int code, string output, string errors) = await RunAsync(arguments);
        Assert.Equal((2, ""), (code, output));
        Assert.StartsWith("larder: ", errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Check_and_list_commands_describe_tokens_without_showing_digests()
    {
        await File.WriteAllTextAsync(FilePath, $$"""
            {"tokens": [{{TokensOnDisk.Entry("old", "read", "c", expires: "2001-01-01T00:00:00Z")}},
            {{TokensOnDisk.Entry("web", "readwrite", "orders", "cart:", secrets: ["one", "two"])}}]}
            """);
        (int checkedCode, string said, _) = await RunAsync("check", FilePath);
        Assert.Equal(0, checkedCode);
        Assert.Contains("old has expired", said, StringComparison.Ordinal);
        Assert.Contains("web has two tokens", said, StringComparison.Ordinal);
        Assert.Contains("is valid: 2 tokens", said, StringComparison.Ordinal);
        (int listedCode, string list, _) = await RunAsync("list", FilePath);
        Assert.Equal(0, listedCode);
        Assert.Equal("old  expired 2001-01-01T00:00:00Z  read:c\nweb  never expires  readwrite:orders:cart:\n", list.ReplaceLineEndings("\n"));
        await File.WriteAllTextAsync(FilePath, "{\"tokens\": [{}]}");
        Assert.Equal(2, (await RunAsync("check", FilePath)).Code);
    }

    private static async Task<(int Code, string Output, string Errors)> RunAsync(params string[] arguments)
    {
        using StringWriter output = new();
        using StringWriter errors = new();
        int code = await new TokenCommand(output, errors, TimeProvider.System).RunAsync(arguments);
        return (code, output.ToString(), errors.ToString());
    }
}
