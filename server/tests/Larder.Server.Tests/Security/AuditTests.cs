using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class AuditTests
{
    private readonly Audit _audit = new(TimeProvider.System);

    [Fact]
    public void What_repeats_is_one_line_that_is_counted_and_the_latest_comes_first()
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

    [Fact]
    public void Past_its_bound_the_line_told_of_longest_ago_goes()
    {
        _audit.Note(AuditKind.Reloaded);
        for (int each = 0; each < 2 * Audit.MaxEntries; each++)
        {
            _audit.Note(AuditKind.Denied, what: $"{each}");
            _audit.Note(AuditKind.NotReloaded);
        }

        IReadOnlyList<Audit.Line> lines = _audit.Read();
        Assert.Equal(Audit.MaxEntries, lines.Count);
        Assert.Equal(2 * Audit.MaxEntries, lines.Single(static line => line.Entry.Kind == AuditKind.NotReloaded).Count);
        Assert.DoesNotContain(lines, static line => line.Entry.Kind == AuditKind.Reloaded);
    }

    [Fact]
    public void What_callers_choose_is_cut()
    {
        _audit.Note(AuditKind.Denied, what: new string('x', 100_000), cache: new string('y', 255));
        AuditEntry entry = Assert.Single(_audit.Read()).Entry;
        Assert.Equal((128, 128), (entry.What.Length, entry.Cache.Length));
    }
}
