using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.FileProviders;
using Microsoft.Extensions.Hosting;

namespace Larder.FileStore.Tests;

public sealed class RegistrationTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private sealed class HostEnvironment(string root) : IHostEnvironment
    {
        public string EnvironmentName { get; set; } = "Testing";

        public string ApplicationName { get; set; } = "App";

        public string ContentRootPath { get; set; } = root;

        public IFileProvider ContentRootFileProvider { get; set; } = new NullFileProvider();
    }

    [Theory]
    [InlineData(FileStoreCacheVersions.String, typeof(IDistributedFileStoreCacheString))]
    [InlineData(FileStoreCacheVersions.Class, typeof(IDistributedFileStoreCacheClass))]
    [InlineData(FileStoreCacheVersions.Bytes, typeof(IDistributedFileStoreCacheBytes))]
    [InlineData(FileStoreCacheVersions.IDistributedCache, typeof(IDistributedCache))]
    public void Each_cache_version_registers_only_its_own_interface(FileStoreCacheVersions version, Type face)
    {
        ServiceCollection services = new();
        DistributedFileStoreCacheOptions options = services.AddDistributedFileStoreCache(o => o.WhichVersion = version, new HostEnvironment(_folder.Path));
        ServiceDescriptor registered = Assert.Single(services);
        Assert.Equal(face, registered.ServiceType);
        Assert.Equal(ServiceLifetime.Singleton, registered.Lifetime);
        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.IsAssignableFrom(face, provider.GetRequiredService(face));
        Assert.Equal("FileStoreCacheFile.Testing.jsonl", options.FormCacheFileName());
        Assert.True(File.Exists(Path.Combine(_folder.Path, "FileStoreCacheFile.Testing.jsonl")));
    }

    [Fact]
    public void IDistributedCache_registration_also_implements_IBufferDistributedCache()
    {
        ServiceCollection services = new();
        services.AddDistributedFileStoreCache(o => o.WhichVersion = FileStoreCacheVersions.IDistributedCache, new HostEnvironment(_folder.Path));
        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.IsAssignableFrom<IBufferDistributedCache>(provider.GetRequiredService<IDistributedCache>());
    }

    [Fact]
    public void Keyed_registrations_are_separate_caches()
    {
        ServiceCollection services = new();
        foreach (string name in (string[])["a", "b"])
        {
            services.AddKeyedDistributedFileStoreCache(name, o => o.FirstPartOfCacheFileName = name, new HostEnvironment(_folder.Path));
        }
        using ServiceProvider provider = services.BuildServiceProvider();
        IDistributedFileStoreCacheString a = provider.GetRequiredKeyedService<IDistributedFileStoreCacheString>("a");
        IDistributedFileStoreCacheString b = provider.GetRequiredKeyedService<IDistributedFileStoreCacheString>("b");
        a.Set("key", "of a");
        Assert.Null(b.Get("key"));
        b.Set("key", "of b");
        Assert.Equal("of a", a.Get("key"));
    }

    [Fact]
    public void Registration_error_names_missing_or_invalid_option()
    {
        ServiceCollection services = new();
        Assert.Contains("PathToCacheFileDirectory", Assert.Throws<DistributedFileStoreCacheException>(() => services.AddDistributedFileStoreCache()).Message);
        Assert.Contains("SecondPartOfCacheFileName", Assert.Throws<DistributedFileStoreCacheException>(
            () => services.AddDistributedFileStoreCache(o => o.PathToCacheFileDirectory = _folder.Path)).Message);
        Assert.Contains("must not contain a slash", Assert.Throws<DistributedFileStoreCacheException>(
            () => services.AddDistributedFileStoreCache(o => o.FirstPartOfCacheFileName = "../x", new HostEnvironment(_folder.Path))).Message);
        Assert.Throws<ArgumentOutOfRangeException>(() => services.AddDistributedFileStoreCache(o => o.MaxBytes = 0, new HostEnvironment(_folder.Path)));
        Assert.Throws<ArgumentOutOfRangeException>(() =>
            services.AddDistributedFileStoreCache(o => o.LockTimeout = TimeSpan.FromSeconds(-1), new HostEnvironment(_folder.Path)));
        Assert.Throws<ArgumentOutOfRangeException>(() =>
            services.AddDistributedFileStoreCache(o => o.WhichVersion = (FileStoreCacheVersions)9, new HostEnvironment(_folder.Path)));
        Assert.Empty(services);
    }

    [Theory]
    [InlineData(100, 7, 37, 1, 0, 5029)]
    [InlineData(1000, 7, 37, 1, 0, 50_029)]
    [InlineData(1000, 7, 37, 1, 100, 82_029)]
    [InlineData(5, 7, 30, 6, 0, 994)]
    public void SetMaxBytesByCalculation_matches_older_library(int entries, int key, int value, int charSize, int percent, int expected)
    {
        DistributedFileStoreCacheOptions options = new();
        options.SetMaxBytesByCalculation(entries, key, value, charSize, percent);
        Assert.Equal(expected, options.MaxBytesInJsonCacheFile);
    }

    [Fact]
    public async Task Health_check_reports_healthy_cache_with_entry_count()
    {
        ServiceCollection services = new();
        services.AddLogging();
        services.AddDistributedFileStoreCache(o => o.WhichVersion = FileStoreCacheVersions.Bytes, new HostEnvironment(_folder.Path));
        services.AddHealthChecks().AddDistributedFileStoreCache();
        using ServiceProvider provider = services.BuildServiceProvider();
        HealthReport report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.Equal(HealthStatus.Healthy, report.Status);
        Assert.Equal(0, report.Entries["filestore"].Data["entries"]);
    }

    [Fact]
    public async Task Health_check_reports_reason_when_cache_cannot_open()
    {
        File.WriteAllText(_folder.CacheFile, "something else");
        ServiceCollection services = new();
        services.AddLogging();
        services.AddDistributedFileStoreCache(o =>
            (o.FirstPartOfCacheFileName, o.SecondPartOfCacheFileName, o.PathToCacheFileDirectory) = ("Cache", "Test", _folder.Path));
        services.AddHealthChecks().AddDistributedFileStoreCache();
        using ServiceProvider provider = services.BuildServiceProvider();
        HealthReport report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.Equal(HealthStatus.Unhealthy, report.Status);
        Assert.Contains(_folder.CacheFile, report.Entries["filestore"].Description);
        File.Delete(_folder.CacheFile);
        report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.Equal(HealthStatus.Healthy, report.Status);
    }
}
