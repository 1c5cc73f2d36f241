using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Larder.Server.Tests;

/// <summary>Tests of the messages that a service manager, for example systemd, receives on its notification socket.</summary>
public sealed class ServiceManagerTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("larder-notify-").FullName;
    private readonly Socket _heard = new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { ReceiveTimeout = 10_000 };

    [Fact]
    public void Service_manager_receives_each_state_as_one_datagram()
    {
        string path = Path.Combine(_folder, "notify");
        _heard.Bind(new UnixDomainSocketEndPoint(path));
        ServiceManager manager = new(path);

        manager.Ready();
        manager.Stopping();

        Assert.Equal(["READY=1", "STOPPING=1"], new[] { Hear(), Hear() });
    }

    [Fact]
    public void Reloading_notification_contains_the_monotonic_time()
    {
        string path = Path.Combine(_folder, "notify");
        _heard.Bind(new UnixDomainSocketEndPoint(path));
        // The number of seconds since boot, from an independent source.
        double uptime = double.Parse(File.ReadAllText("/proc/uptime").Split(' ')[0], CultureInfo.InvariantCulture);

        new ServiceManager(path).Reloading();

        string[] lines = Hear().Split('\n');
        Assert.Equal("RELOADING=1", lines[0]);
        Assert.StartsWith("MONOTONIC_USEC=", lines[1], StringComparison.Ordinal);
        double said = long.Parse(lines[1]["MONOTONIC_USEC=".Length..], CultureInfo.InvariantCulture) / 1e6;
        Assert.InRange(said, uptime - 1, uptime + 60);
    }

    [Fact]
    public void Abstract_socket_name_is_supported()
    {
        string name = $"larder-{Guid.NewGuid():N}";
        _heard.Bind(new UnixDomainSocketEndPoint('\0' + name));

        new ServiceManager("@" + name).Ready();

        Assert.Equal("READY=1", Hear());
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("/nowhere/notify")]
    public void Ready_does_nothing_without_a_service_manager(string? address) => Assert.Null(Record.Exception(new ServiceManager(address).Ready));

    public void Dispose()
    {
        _heard.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private string Hear()
    {
        byte[] buffer = new byte[1024];
        return Encoding.UTF8.GetString(buffer, 0, _heard.Receive(buffer));
    }
}
