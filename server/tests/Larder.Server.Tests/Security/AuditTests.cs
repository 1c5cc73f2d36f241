using System.Net;
using Larder.Harness.Clocks;
using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class AuditTests
{
    private static readonly IPAddress Address = IPAddress.Parse("192.0.2.1");

    private readonly ManualTime _time = new();
    private readonly Audit _audit;

    public AuditTests() => _audit = new Audit(_time);

    [Fact]
    public void Repeated_events_share_one_audit_line_and_newest_is_first()
    {
        _audit.Note(AuditKind.Denied, "web", "192.0.2.1", "/cache_client.Scs/Set", "orders");
        _audit.Note(AuditKind.Reloaded, what: "--tokens");
        for (int time = 0; time < 9_999; time++)
        {
            _audit.Note(AuditKind.Denied, "web", "192.0.2.1", "/cache_client.Scs/Set", "orders");
        }

        IReadOnlyList<Audit.Line> lines = _audit.Read();
        Assert.Equal([(AuditKind.Denied, 10_000L), (AuditKind.Reloaded, 1L)], lines.Select(static line => (line.Entry.Kind, line.Count)));
        Assert.True(lines[0].First <= lines[0].Last);
    }

    [Theory]
    [InlineData(Audit.MaxStrangers)]
    [InlineData(Audit.MaxStrangers + 1)]
    [InlineData(10 * Audit.MaxStrangers)]
    public void Unauthenticated_callers_do_not_displace_other_audit_lines(int addresses)
    {
        _audit.Note(AuditKind.Denied, "web", "192.0.2.1", "/cache_client.Scs/Set", "orders");
        _audit.Note(AuditKind.Reloaded, what: "--tokens");
        _audit.RecordUnauthenticated(AuditKind.DoorShut, Address, isConsole: false, "/a");
        for (int each = 0; each < addresses; each++)
        {
            _audit.RecordUnauthenticated(AuditKind.Unauthenticated, new IPAddress(each + 1), isConsole: false, $"/x{each}");
        }

        IReadOnlyList<Audit.Line> lines = _audit.Read();
        int own = Math.Min(addresses, Audit.MaxStrangers);
        int others = addresses - own;
        Assert.Equal(own + (others > 0 ? 1 : 0), lines.Count(static line => line.Entry.Kind == AuditKind.Unauthenticated));
        Assert.Equal(others, lines.Where(static line => line.Entry.Address == Audit.Others).Sum(static line => line.Count));
        Assert.Equal(addresses, lines.Where(static line => line.Entry.Kind == AuditKind.Unauthenticated).Sum(static line => line.Count));
        Assert.Equal(
            [AuditKind.Denied, AuditKind.DoorShut, AuditKind.Reloaded],
            lines.Where(static line => line.Entry.Kind != AuditKind.Unauthenticated).Select(static line => line.Entry.Kind).Order());
    }

    [Fact]
    public void Unauthenticated_caller_has_one_audit_line_for_all_paths()
    {
        for (int each = 0; each < 10_000; each++)
        {
            _time.AdvanceMs(1);
            _audit.RecordUnauthenticated(AuditKind.Unauthenticated, Address, isConsole: false, $"/x{each}");
        }

        _audit.RecordUnauthenticated(AuditKind.Unauthenticated, Address, isConsole: true, "console");
        IReadOnlyList<Audit.Line> lines = _audit.Read();
        Assert.Equal([("console", 1L), ("/x9999", 10_000L)], lines.Select(static line => (line.Entry.What, line.Count)));
        Assert.Equal(TimeSpan.FromMilliseconds(9_999), lines[1].Last - lines[1].First);
    }

    [Theory]
    [InlineData("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64")]
    [InlineData("2001:db8:1:2::9", "2001:db8:1:2::/64")]
    [InlineData("::ffff:192.0.2.1", "192.0.2.1")]
    [InlineData("::1", "::/64")]
    public void Audit_log_groups_unauthenticated_callers_by_network(string address, string counted)
    {
        _audit.RecordUnauthenticated(AuditKind.Unauthenticated, IPAddress.Parse(address), isConsole: false, "/a");
        Assert.Equal(counted, Assert.Single(_audit.Read()).Entry.Address);
    }

    [Theory]
    [InlineData(Audit.MaxDenied - 1, 0)]
    [InlineData(Audit.MaxDenied, 1)]
    [InlineData(10 * Audit.MaxDenied, (9 * Audit.MaxDenied) + 1)]
    public void Full_audit_log_drops_oldest_denial_of_most_denied_caller(int names, int dropped)
    {
        _audit.Note(AuditKind.Denied, "quiet", "192.0.2.1", "/cache_client.Scs/Set", "orders");
        for (int each = 0; each < names; each++)
        {
            // Every second call uses a disposable token of the same issuer, so these calls share the issuer's lines.
            _audit.Note(AuditKind.Denied, each % 2 == 0 ? "loud" : $"loud (user {each})", "192.0.2.2", "/cache_client.Scs/Set", $"invented {each}");
        }

        IReadOnlyList<Audit.Line> lines = _audit.Read();
        Assert.Equal(names + 1 - dropped, lines.Count);
        Assert.Contains(lines, static line => line.Entry.Who == "quiet");
        Assert.Equal(dropped == 0, lines.Any(static line => line.Entry.Cache == "invented 0"));
        Assert.Contains(lines, line => line.Entry.Cache == $"invented {names - 1}");
    }

    [Fact]
    public void Denied_calls_do_not_displace_console_actions()
    {
        _audit.Note(AuditKind.ConsoleAction, "ops", "192.0.2.1", "deleted a cache", "orders");
        for (int each = 0; each < 2 * Audit.MaxDenied; each++)
        {
            _audit.Note(AuditKind.Denied, $"{each}");
        }

        Assert.Contains(_audit.Read(), static line => line.Entry.Kind == AuditKind.ConsoleAction);
        Assert.Equal(Audit.MaxDenied + 1, _audit.Read().Count);
    }

    [Theory]
    [InlineData(Audit.MaxChanges, true)]
    [InlineData(Audit.MaxChanges + 1, false)]
    [InlineData(10 * Audit.MaxChanges, false)]
    public void Full_audit_log_drops_the_oldest_change(int changes, bool isFirstKept)
    {
        for (int each = 0; each < changes; each++)
        {
            _audit.Note(AuditKind.ConsoleAction, what: $"{each}");
        }

        Assert.Equal(Audit.MaxChanges, _audit.Read().Count);
        Assert.Equal(isFirstKept, _audit.Read().Any(static line => line.Entry.What == "0"));
    }

    [Fact]
    public void Caller_supplied_text_is_truncated()
    {
        _audit.Note(AuditKind.Denied, what: new string('x', 100_000), cache: new string('y', 255));
        _audit.RecordUnauthenticated(AuditKind.Unauthenticated, Address, isConsole: false, new string('x', 100_000));
        Assert.Equal([(128, 0), (128, 128)], _audit.Read().Select(static line => (line.Entry.What.Length, line.Entry.Cache.Length)));
    }
}
