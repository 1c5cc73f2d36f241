using System.Net;
using System.Text;
using Larder.Harness.Processes;

namespace Larder.Console.Tests.Servers;

/// <summary>A server on this machine that serves a page. The origin of the page differs from the console's origin.</summary>
internal sealed class ForeignSite : IDisposable
{
    private readonly HttpListener _listener = new();
    private readonly Task _serving;

    /// <param name="html">The response to every request.</param>
    public ForeignSite(string html)
    {
        Address = new Uri($"http://127.0.0.1:{FreePorts.Next()}/");
        _listener.Prefixes.Add(Address.AbsoluteUri);
        _listener.Start();
        _serving = ServeAsync(Encoding.UTF8.GetBytes(html));
    }

    public Uri Address { get; }

    public void Dispose()
    {
        _listener.Stop();
        _serving.GetAwaiter().GetResult();
        _listener.Close();
    }

    private async Task ServeAsync(byte[] html)
    {
        try
        {
            while (_listener.IsListening)
            {
                HttpListenerContext asked = await _listener.GetContextAsync();
                asked.Response.ContentType = "text/html; charset=utf-8";
                await asked.Response.OutputStream.WriteAsync(html);
                asked.Response.Close();
            }
        }
        catch (Exception ended) when (ended is HttpListenerException or ObjectDisposedException)
        {
            // The listener has been stopped.
        }
    }
}
