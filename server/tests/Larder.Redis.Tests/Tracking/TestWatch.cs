using System.Text;

namespace Larder.Redis.Tests.Tracking;

/// <summary>Records its notifications in order. A change of a key is recorded as the name of the key, and a loss as <c>*</c>.</summary>
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

    /// <summary>Gets the highest confirmed number.</summary>
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
