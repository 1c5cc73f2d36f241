using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Larder.Server.Doctor;

namespace Larder.Server.Tests.Doctor;

[SupportedOSPlatform("linux")]
public sealed class DoctorTests : IDisposable
{
    private const string HugePages = "/sys/kernel/mm/transparent_hugepage/enabled";
    private const string ClockSource = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    private static readonly DateTimeOffset Now = DateTimeOffset.UtcNow;
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-doctor").FullName;
    private readonly FakeMachine _machine = new();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Good_machine_has_no_findings_and_exit_code_0()
    {
        (int code, string[] lines) = await Run();
        Assert.Equal((0, "0 errors, 0 warnings"), (code, lines[^1]));
        Assert.All(lines[..^1], static line => Assert.StartsWith("ok ", line, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Invalid_settings_are_an_error()
    {
        (int code, string[] lines) = await Run("--host", "0.0.0.0");
        Assert.Equal(1, code);
        Assert.Matches("^error +settings +--host 0.0.0.0 is reachable from other machines", lines[0]);
        Assert.Equal(2, (await Run("--nonsense")).Code);
    }

    [Fact]
    public async Task Port_in_use_is_an_error_unless_a_larder_server_uses_it()
    {
        using Socket taken = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        taken.Listen(1);
        int port = ((IPEndPoint)taken.LocalEndPoint!).Port;
        (int code, string[] lines) = await Run("--port", $"{port}", "--console-port", "0");
        Assert.Equal(1, code);
        Assert.Contains(lines, line => line.EndsWith($" port {port} is already in use", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.Contains("fix: stop the other process, or pass another --port", StringComparison.Ordinal));

        await using LarderServer server = await LarderServer.StartAsync(new ServerOptions { Port = 0, ConsolePort = 0 });
        (code, lines) = await Run("--port", $"{server.Endpoint.Port}", "--console-port", $"{server.ConsoleEndpoint.Port}");
        Assert.Equal(0, code);
        string running = $"a Larder server with console port {server.ConsoleEndpoint.Port} is running, and uses them";
        Assert.Contains(lines, line => line.EndsWith(running, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(10_000, 10_000, FindingLevel.Ok)]
    [InlineData(10_000, 9_999, FindingLevel.Warning)]
    [InlineData(10_000, 0, FindingLevel.Error)]
    public void Limit_of_open_files_is_compared_with_the_connections(int asked, int possible, object level)
    {
        _machine.Descriptors = possible;
        Check("open files", (FindingLevel)level, new ServerOptions { MaxConnections = asked });
    }

    [Theory]
    [InlineData(800, FindingLevel.Ok)]
    [InlineData(801, FindingLevel.Warning)]
    [InlineData(1_000, FindingLevel.Warning)]
    [InlineData(1_001, FindingLevel.Error)]
    [InlineData(10_000, FindingLevel.Error)]
    public void Memory_limit_is_compared_with_the_machine(int megabytes, object level)
    {
        _machine.Memory = 1_000L << 20;
        Check("memory", (FindingLevel)level, new ServerOptions { MemoryBytes = (long)megabytes << 20 });
    }

    [Fact]
    public void Memory_that_other_processes_use_is_a_warning()
    {
        _machine.Memory = 1L << 30;
        _machine.Meminfos["MemAvailable"] = (64L << 20) - 1;
        Finding finding = Check("memory", FindingLevel.Warning, new ServerOptions { MemoryBytes = 64L << 20 });
        Assert.Equal("--memory is 64 MiB, but other processes leave only 64 MiB", finding.Text);
    }

    [Fact]
    public void Strict_overcommit_without_room_is_a_warning()
    {
        ServerOptions options = new() { MemoryBytes = 64L << 20 };
        _machine.Meminfos["CommitLimit"] = 1L << 30;
        _machine.Meminfos["Committed_AS"] = (1L << 30) - (63L << 20);
        Assert.DoesNotContain(MachineChecks.Run(options, _machine), static finding => finding.Subject == "overcommit");
        _machine.Lines["/proc/sys/vm/overcommit_memory"] = "2";
        Check("overcommit", FindingLevel.Warning, options);
        _machine.Meminfos["Committed_AS"] = 0;
        Assert.DoesNotContain(MachineChecks.Run(options, _machine), static finding => finding.Subject == "overcommit");
    }

    [Theory]
    [InlineData("vm.max_map_count", "/proc/sys/vm/max_map_count", "65530", FindingLevel.Ok)]
    [InlineData("vm.max_map_count", "/proc/sys/vm/max_map_count", "1000", FindingLevel.Warning)]
    [InlineData("vm.max_map_count", "/proc/sys/vm/max_map_count", null, FindingLevel.Skipped)]
    [InlineData("huge pages", HugePages, "always [madvise] never", FindingLevel.Ok)]
    [InlineData("huge pages", HugePages, "[always] madvise never", FindingLevel.Ok)]
    [InlineData("huge pages", HugePages, null, FindingLevel.Skipped)]
    [InlineData("backlog", "/proc/sys/net/core/somaxconn", "512", FindingLevel.Ok)]
    [InlineData("backlog", "/proc/sys/net/core/somaxconn", "511", FindingLevel.Warning)]
    [InlineData("backlog", "/proc/sys/net/core/somaxconn", "x", FindingLevel.Skipped)]
    public void Settings_of_the_kernel_are_checked(string subject, string path, string? line, object level)
    {
        _machine.Lines[path] = line;
        Check(subject, (FindingLevel)level);
    }

    [Theory]
    [InlineData(true, FindingLevel.Ok)]
    [InlineData(false, FindingLevel.Warning)]
    [InlineData(null, FindingLevel.Skipped)]
    public void Clock_should_be_synchronised(bool? isSynchronised, object level)
    {
        _machine.Synchronised = isSynchronised;
        Check("clock", (FindingLevel)level);
    }

    [Fact]
    public void Slow_clock_source_is_a_warning()
    {
        _machine.Lines[ClockSource] = "hpet";
        Check("clock source", FindingLevel.Warning);
        _machine.Lines[ClockSource] = "tsc";
        Assert.DoesNotContain(MachineChecks.Run(new ServerOptions(), _machine), static finding => finding.Subject == "clock source");
    }

    [Fact]
    public void This_machine_can_be_read()
    {
        Machine machine = new();
        Assert.InRange(machine.MemoryBytes, 1, long.MaxValue);
        Assert.InRange(machine.Meminfo("MemTotal") ?? 0, 1, long.MaxValue);
        Assert.Null(machine.Meminfo("Nothing"));
        Assert.InRange(machine.Number("/proc/sys/vm/max_map_count") ?? 0, 1, long.MaxValue);
        Assert.Null(machine.Line("/proc/none"));
        _ = machine.IsClockSynchronised();
        Assert.Equal(1, machine.Connections(1));
    }

    [Theory]
    [InlineData("600", FindingLevel.Ok)]
    [InlineData("640", FindingLevel.Ok)]
    [InlineData("644", FindingLevel.Warning)]
    [InlineData("660", FindingLevel.Warning)]
    [InlineData("666", FindingLevel.Error)]
    public void Token_file_should_be_protected(string mode, object level)
    {
        ServerOptions options = new() { TokenPath = Written("token", "secret", mode) };
        Assert.Equal((FindingLevel)level, Assert.Single(FileChecks.Run(options, Now)).Level);
    }

    [Fact]
    public void Missing_file_is_an_error()
    {
        Finding finding = Assert.Single(FileChecks.Run(new ServerOptions { TokenPath = Path.Combine(_folder, "none") }, Now));
        Assert.Equal(FindingLevel.Error, finding.Level);
        Assert.Contains("--token-file", finding.Text);
    }

    [Theory]
    [InlineData(-1, FindingLevel.Error)]
    [InlineData(29, FindingLevel.Warning)]
    [InlineData(31, FindingLevel.Ok)]
    public void Certificate_should_be_valid_for_30_days(int days, object level)
    {
        ServerOptions options = WithCertificate(Now.AddDays(-40), Now.AddDays(days));
        Assert.Equal((FindingLevel)level, Assert.Single(FileChecks.Run(options, Now), static finding => finding.Subject == "tls-cert").Level);
    }

    [Fact]
    public void Certificate_of_the_future_or_for_another_name_is_an_error()
    {
        ServerOptions future = WithCertificate(Now.AddDays(1), Now.AddDays(100));
        Assert.Contains("is valid only from", Assert.Single(FileChecks.Run(future, Now), static finding => finding.Level == FindingLevel.Error).Text);
        ServerOptions named = WithCertificate(Now.AddDays(-1), Now.AddDays(100));
        Assert.DoesNotContain(FileChecks.Run(named with { Advertised = "cache.example:443" }, Now), static finding => finding.Level == FindingLevel.Error);
        Assert.Equal(
            "the certificate is not valid for other.example, the address of --advertise",
            Assert.Single(FileChecks.Run(named with { Advertised = "other.example" }, Now), static finding => finding.Level == FindingLevel.Error).Text);
    }

    [Fact]
    public void Folder_of_the_snapshot_must_be_writable_and_large_enough()
    {
        ServerOptions options = new() { SnapshotPath = Path.Combine(_folder, "cache"), MemoryBytes = 16 << 20 };
        Assert.Equal(FindingLevel.Ok, Assert.Single(FileChecks.Run(options, Now)).Level);
        Assert.Equal(FindingLevel.Warning, Assert.Single(FileChecks.Run(options with { MemoryBytes = 1L << 60 }, Now)).Level);
        Assert.Equal(FindingLevel.Error, Assert.Single(FileChecks.Run(options with { SnapshotPath = Path.Combine(_folder, "none", "cache") }, Now)).Level);
        Assert.Empty(Directory.GetFileSystemEntries(_folder));
        Assert.Equal(FindingLevel.Error, Assert.Single(FileChecks.Run(options with { SnapshotPath = "/" }, Now)).Level);
    }

    [Fact]
    public async Task Unreachable_engine_is_one_error()
    {
        IReadOnlyList<Finding> findings = await EngineChecks.RunAsync(new ServerOptions { Store = "redis://127.0.0.1:1" }, CancellationToken.None);
        Finding finding = Assert.Single(findings);
        Assert.Equal((FindingLevel.Error, "Redis at 127.0.0.1:1 is unreachable: Connection refused"), (finding.Level, finding.Text));
    }

    private Finding Check(string subject, FindingLevel level, ServerOptions? options = null)
    {
        Finding finding = Assert.Single(MachineChecks.Run(options ?? new ServerOptions { MemoryBytes = 64 << 20 }, _machine), each => each.Subject == subject);
        Assert.Equal(level, finding.Level);
        Assert.Equal(level is FindingLevel.Warning or FindingLevel.Error, finding.Fix is not null);
        return finding;
    }

    private string Written(string name, string text, string mode = "600")
    {
        string path = Path.Combine(_folder, name);
        File.WriteAllText(path, text);
        File.SetUnixFileMode(path, (UnixFileMode)Convert.ToInt32(mode, 8));
        return path;
    }

    private ServerOptions WithCertificate(DateTimeOffset from, DateTimeOffset until)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = new("CN=larder", key, HashAlgorithmName.SHA256);
        SubjectAlternativeNameBuilder names = new();
        names.AddDnsName("cache.example");
        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 certificate = request.CreateSelfSigned(from, until);
        return new ServerOptions
        {
            TlsCertificatePath = Written("server.pem", certificate.ExportCertificatePem()),
            TlsKeyPath = Written("server.key", key.ExportPkcs8PrivateKeyPem()),
        };
    }

    private async Task<(int Code, string[] Lines)> Run(params string[] arguments)
    {
        using StringWriter output = new() { NewLine = "\n" }, errors = new() { NewLine = "\n" };
        string[] ports = arguments.Contains("--port") ? [] : ["--port", "0"];
        int code = await new DoctorCommand(output, errors, _machine, TimeProvider.System, new Dictionary<string, string>())
            .RunAsync([.. ports, "--memory", "64m", .. arguments]);
        return (code, output.ToString().TrimEnd('\n').Split('\n'));
    }

    private sealed class FakeMachine : Machine
    {
        public long Memory { get; set; } = 8L << 30;

        public int Descriptors { get; set; } = 100_000;

        public bool? Synchronised { get; set; } = true;

        public Dictionary<string, string?> Lines { get; } = new()
        {
            ["/proc/sys/vm/max_map_count"] = "65530",
            ["/proc/sys/vm/overcommit_memory"] = "0",
            ["/proc/sys/net/core/somaxconn"] = "4096",
            [HugePages] = "always [madvise] never",
            [ClockSource] = "tsc",
        };

        public Dictionary<string, long?> Meminfos { get; } = new() { ["MemAvailable"] = 8L << 30 };

        public override long MemoryBytes => Memory;

        public override string? Line(string path) => Lines.GetValueOrDefault(path);

        public override long? Meminfo(string name) => Meminfos.GetValueOrDefault(name);

        public override int Connections(int asked) => Descriptors > 0 ? Math.Min(asked, Descriptors) : throw new ServerOptionsException("too few");

        public override bool? IsClockSynchronised() => Synchronised;
    }
}
