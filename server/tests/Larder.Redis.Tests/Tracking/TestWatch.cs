using System.Text;

namespace Larder.Redis.Tests.Tracking;

/// <summary>
/// Records the notifications that it receives, in order. A change of one key is recorded as the name of the key. The notification that any key may have changed
/// is recorded as <c>*</c>.
/// </summary>
internal sealed class TestWatch : IKeyWatch
{
    private readonly List<string> _told = [];
    private long _confirmed;

    public string[] Notifications
    {
        get
        {
            lock (_told)
            {
                return [.. _told];
            }
        }
    }

    public int Losses => Notifications.Count(static what => what == "*");

    /// <summary>Gets the number of the last request that was confirmed.</summary>
    public long Last => Interlocked.Read(ref _confirmed);

    public void Note(string what)
    {
        lock (_told)
        {
            _told.Add(what);
        }
    }

    public void Forget()
    {
        lock (_told)
        {
            _told.Clear();
        }
    }

    public void Invalidated(ReadOnlySpan<byte> key) => Note(Encoding.Latin1.GetString(key));

    public void Lost() => Note("*");

    public void Confirmed(long number) => Interlocked.Exchange(ref _confirmed, number);
}
