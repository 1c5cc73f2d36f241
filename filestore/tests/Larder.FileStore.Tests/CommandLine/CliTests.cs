using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.FileStore.Tests;

/// <summary>Tests of the commands larder file show, check, compact, export and import.</summary>
public sealed class CliTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Export_and_import_round_trip_all_entries()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("text", "é \n \"quoted\" 😀 unpaired \ud800");
            cache.Set("sliding", "s", new() { SlidingExpiration = TimeSpan.FromHours(1), AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(2) });
            using DistributedFileStoreCacheBytes bytes = new(cache);
            bytes.Set("bytes", [0, 255], new());
        }
        string exported = Path.Combine(_folder.Path, "exported.jsonl");
        string copy = Path.Combine(_folder.Path, "Copy.Test.jsonl");
        Assert.Equal(0, Run(out _, "export", _folder.CacheFile, "--output", exported));
        Assert.Equal(0, Run(out string imported, "import", copy, exported));
        Assert.Contains("3 entries imported", imported);
        string again = Path.Combine(_folder.Path, "again.jsonl");
        Assert.Equal(0, Run(out _, "export", copy, "-o", again));
        Assert.Equal(File.ReadAllText(exported), File.ReadAllText(again));
        using (DistributedFileStoreCacheString imports = _folder.Open(o => o.FirstPartOfCacheFileName = "Copy"))
        {
            Assert.Equal("é \n \"quoted\" 😀 unpaired \ud800", imports.Get("text"));
        }
        Assert.Equal(0, Run(out string shown, "show", copy));
        Assert.Contains("sliding", shown);
        Assert.Contains("3 entries", shown);
    }

    [Theory]
    [InlineData(2, null, "--secondss")]
    [InlineData(2, null, "-x")]
    [InlineData(0, "--secondss", "--", "--secondss")]
    [InlineData(0, "-5", "-5")]
    [InlineData(0, "-", "-", "--seconds", "90")]
    public void Set_command_rejects_unknown_option_and_stores_nothing(int code, string? stored, params string[] words)
    {
        Assert.Equal(code, Run(out _, ["set", _folder.CacheFile, "k", .. words]));
        using DistributedFileStoreCacheString cache = _folder.Open();
        Assert.Equal(stored, cache.Get("k"));
    }

    [Fact]
    public void Import_reads_file_in_the_format_of_the_older_library()
    {
        string old = Path.Combine(_folder.Path, "old.json");
        File.WriteAllText(old, "{\"Cache\":{\"a\":\"1\",\"b\":\"2\"},\"TimeOuts\":{}}");
        Assert.Equal(0, Run(out _, "import", _folder.CacheFile, old));
        using DistributedFileStoreCacheString cache = _folder.Open();
        Assert.Equal("2", cache.Get("b"));
    }

    [Fact]
    public void Import_uses_colon_separated_paths_of_settings_file_as_keys()
    {
        string settings = Path.Combine(_folder.Path, "appsettings.json");
        File.WriteAllText(settings, """
            {
              // as .NET's configuration reads them
              "Shop": { "Name": "Käse", "Open": true, "Rooms": [ 3, "four" ], "None": null },
              "Timeout": 2.50,
            }
            """);
        Assert.Equal(0, Run(out string imported, "import", _folder.CacheFile, settings));
        Assert.Contains("6 entries imported", imported);
        using DistributedFileStoreCacheString cache = _folder.Open();
        Assert.Equal(["", "2.50", "3", "Käse", "four", "true"], cache.GetAllKeyValues().Values.Order(StringComparer.Ordinal));
        Assert.Equal("Käse", cache.Get("Shop:Name"));
        Assert.Equal("four", cache.Get("Shop:Rooms:1"));
    }

    [Fact]
    public void Import_of_indented_older_library_file_skips_expired_entries()
    {
        string old = Path.Combine(_folder.Path, "old.json");
        File.WriteAllText(old, "\uFEFF// by hand\n{\n  \"Cache\": {\n    \"a\": \"1\",\n    \"b\": \"2\"\n  },\n  \"TimeOuts\": { \"b\": 1 }\n}\n");
        Assert.Equal(0, Run(out string imported, "import", _folder.CacheFile, old));
        Assert.Contains("1 entry imported", imported);
    }

    [Fact]
    public void Set_get_list_and_remove_commands_succeed_on_open_cache()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        Assert.Equal(0, Run(out _, "set", _folder.CacheFile, "user:1", "Ada"));
        Assert.Equal(0, Run(out _, "set", _folder.CacheFile, "user:2", "Grace", "--seconds", "3600", "--sliding-seconds", "60"));
        Assert.Equal("Ada", cache.Get("user:1"));
        cache.Set("other", "line one\nline two");
        Assert.Equal(0, Run(out string read, "get", _folder.CacheFile, "other"));
        Assert.Equal("line one\nline two\n", read);
        Assert.Equal(1, Run(out string none, "get", _folder.CacheFile, "none"));
        Assert.Equal("", none);
        Assert.Equal(0, Run(out string listed, "list", _folder.CacheFile, "--prefix", "user:"));
        Assert.Equal("user:1\nuser:2\n", listed);
        Assert.Equal(0, Run(out string removed, "remove", _folder.CacheFile, "user:1", "none"));
        Assert.Contains("1 entry removed", removed);
        Assert.Null(cache.Get("user:1"));
        Assert.Equal(0, Run(out removed, "remove", _folder.CacheFile, "--prefix", "user:"));
        Assert.Contains("1 entry removed", removed);
        Assert.Equal(1, cache.Count);
        Assert.Equal(2, Run(out _, "remove", _folder.CacheFile));
        Assert.Equal(2, Run(out _, "get", Path.Combine(_folder.Path, "none.jsonl"), "a"));
        Assert.Equal(2, Run(out _, "set", _folder.CacheFile, "k", "v", "--seconds", "0"));
    }

    [Fact]
    public void Get_and_list_commands_change_no_files()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("key", "value");
        }
        File.Delete(_folder.CacheFile + ".idx");
        byte[] before = File.ReadAllBytes(_folder.CacheFile);
        File.WriteAllText(_folder.CacheFile, File.ReadAllText(_folder.CacheFile).Replace("value", "edited"));
        Assert.Equal(0, Run(out string read, "get", _folder.CacheFile, "key"));
        Assert.Equal("edited\n", read);
        Assert.Equal(0, Run(out string listed, "list", _folder.CacheFile));
        Assert.Equal("key\n", listed);
        Assert.Equal(before.Length + 1, new FileInfo(_folder.CacheFile).Length);
        Assert.Equal([_folder.CacheFile], Directory.GetFiles(_folder.Path));
    }

    [Fact]
    public void Check_and_compact_commands_succeed_while_cache_is_open()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        for (int i = 0; i < 100; i++)
        {
            cache.Set("key", "value" + i);
        }
        Assert.Equal(0, Run(out string checkedBefore, "check", _folder.CacheFile));
        Assert.Contains("100 lines, 1 entry", checkedBefore);
        Assert.Equal(0, Run(out string compacted, "compact", _folder.CacheFile));
        Assert.Contains("1 entry", compacted);
        Assert.Equal("value99", cache.Get("key"));
        cache.Set("key", "after");
        Assert.Equal(0, Run(out string checkedAfter, "check", _folder.CacheFile));
        Assert.Contains("2 lines, 1 entry", checkedAfter);
    }

    [Fact]
    public void Check_command_reports_damage_and_does_not_change_the_file()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("a", "1");
            cache.Set("b", "2");
        }
        byte[] damaged = File.ReadAllBytes(_folder.CacheFile);
        damaged[LogHeader.Bytes + 14] ^= 1;
        File.WriteAllBytes(_folder.CacheFile, damaged);
        Assert.Equal(1, Run(out string output, "check", _folder.CacheFile));
        Assert.Contains($"at offset {LogHeader.Bytes}", output);
        Assert.Equal(damaged, File.ReadAllBytes(_folder.CacheFile));
        Assert.Equal(1, Run(out _, "show", Environment.ProcessPath!));
        Assert.Equal(2, Run(out _, "show", Path.Combine(_folder.Path, "none")));
    }

    private static int Run(out string output, params string[] arguments)
    {
        // If LARDER_NATIVE is set, its value is the path of a native program, which is tested instead of the .NET program.
        ProgramCommand command = Environment.GetEnvironmentVariable("LARDER_NATIVE") is { Length: > 0 } native
            ? new ProgramCommand("larder file", native, ["file", .. arguments])
            : ProgramCommand.Dotnet("larder file", Checkout.Program("filestore/cli/Larder.FileStore.Cli"), arguments);
        ProgramRun run = ProgramRun.Of(command with
        {
            Environment = new Dictionary<string, string?> { ["DOTNET_EnableDiagnostics"] = "0" },
        });
        output = run.Output;
        return run.ExitCode;
    }
}
