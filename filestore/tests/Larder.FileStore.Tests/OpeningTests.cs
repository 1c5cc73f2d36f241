using Larder.Harness.Processes;

namespace Larder.FileStore.Tests;

/// <summary>Tests F10: the file at the path is not a cache file or cannot be used.</summary>
public sealed class OpeningTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("{\"Cache\":{},\"TimeOuts\":{}}", "not written by this library")]
    [InlineData("some other file\n", "not written by this library")]
    [InlineData("{\"fsc\":2,\"something\":\"newer\"}\n", "newer version")]
    public void Open_rejects_foreign_file_and_keeps_it(string content, string reason)
    {
        File.WriteAllText(_folder.CacheFile, content);
        DistributedFileStoreCacheException refused = Assert.Throws<DistributedFileStoreCacheException>(() => _folder.Open());
        Assert.Contains(_folder.CacheFile, refused.Message);
        Assert.Contains(reason, refused.Message);
        Assert.Equal(content, File.ReadAllText(_folder.CacheFile));
    }

    [Theory]
    [InlineData(3, 0)]
    [InlineData(100, 0)]
    [InlineData(4096, 4095)]
    [InlineData(5000, 0)]
    public void Open_rejects_foreign_sidecar_and_keeps_it(int bytes, int zeros)
    {
        byte[] foreign = new byte[bytes];
        foreign.AsSpan(zeros).Fill(7);
        File.WriteAllBytes(_folder.CacheFile + ".idx", foreign);
        Assert.Contains(".idx", Assert.Throws<DistributedFileStoreCacheException>(() => _folder.Open()).Message);
        Assert.Equal(foreign, File.ReadAllBytes(_folder.CacheFile + ".idx"));
    }

    [Fact]
    public void Open_rejects_symbolic_link_and_folder()
    {
        string target = Path.Combine(_folder.Path, "target");
        File.WriteAllText(target, "precious");
        File.CreateSymbolicLink(_folder.CacheFile, target);
        Assert.Contains("symbolic link", Assert.Throws<DistributedFileStoreCacheException>(() => _folder.Open()).Message);
        Assert.Equal("precious", File.ReadAllText(target));
        File.Delete(_folder.CacheFile);
        Directory.CreateDirectory(_folder.CacheFile);
        Assert.Contains("is a folder", Assert.Throws<DistributedFileStoreCacheException>(() => _folder.Open()).Message);
    }

    [Fact]
    public void Open_creates_missing_folder()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.PathToCacheFileDirectory = Path.Combine(_folder.Path, "a", "b"));
        cache.Set("key", "value");
        Assert.Equal("value", cache.Get("key"));
    }

    [Fact]
    public void Open_error_names_the_file_that_blocks_the_folder()
    {
        File.WriteAllText(Path.Combine(_folder.Path, "file"), "");
        DistributedFileStoreCacheException refused = Assert.Throws<DistributedFileStoreCacheException>(() =>
            _folder.Open(o => o.PathToCacheFileDirectory = Path.Combine(_folder.Path, "file", "b")));
        Assert.Contains("cannot be created", refused.Message);
    }

    [UnprivilegedFact]
    public void Open_rejects_read_only_file_and_suggests_write_access()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("key", "value");
        }
        File.SetUnixFileMode(_folder.Path, (UnixFileMode)0x1FF);
        File.SetUnixFileMode(_folder.CacheFile, (UnixFileMode)0b100_100_100);
        File.SetUnixFileMode(_folder.CacheFile + ".idx", (UnixFileMode)0b110_110_110);
        using Peer nobody = Peer.StartUnready(["setpriv", "--reuid=65534", "--clear-groups", "dotnet"], _folder);
        string? answer = nobody.ReadLine();
        Assert.StartsWith("failed DistributedFileStoreCacheException", answer);
        Assert.Contains(_folder.CacheFile, answer);
        Assert.Contains("write access", answer);
    }

    /// <summary>
    /// A test that starts a process as an unprivileged user. This requires Linux, root and setpriv. If starting the process is not possible, the test is
    /// skipped.
    /// </summary>
    private sealed class UnprivilegedFactAttribute : FactAttribute
    {
        public UnprivilegedFactAttribute()
        {
            if (!OperatingSystem.IsLinux() || Environment.UserName != "root" || !File.Exists("/usr/bin/setpriv"))
            {
                Skip = "Cannot inject: needs root and setpriv to start a process without privileges.";
            }
            else if (!CanRunAsNobody())
            {
                Skip = "Cannot inject: another user may not run this program here.";
            }
        }

        private static bool CanRunAsNobody() =>
            ProgramRun.Of(new ProgramCommand("setpriv", "setpriv", "--reuid=65534", "--clear-groups", "dotnet", "exec", Peer.Program, "/proc/none"))
                .Output.StartsWith("failed", StringComparison.Ordinal);
    }
}
