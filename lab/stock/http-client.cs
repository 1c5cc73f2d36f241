// .NET's HttpClient as a gRPC client. Arguments: PORT IN_FLIGHT CALLS REQUEST_HEX WANTED_HEX. Writes one JSON line. Run: `dotnet run http-client.cs -- …`.
#:property PublishAot=false
#:property EnforceCodeStyleInBuild=false
#:property AnalysisLevel=none
#:property TreatWarningsAsErrors=false
using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;

int inFlight = int.Parse(args[1], CultureInfo.InvariantCulture), calls = int.Parse(args[2], CultureInfo.InvariantCulture);
byte[] request = Convert.FromHexString(args[3]), wanted = Convert.FromHexString(args[4]);
byte[] framed = new byte[5 + request.Length];
BinaryPrimitives.WriteInt32BigEndian(framed.AsSpan(1), request.Length);
request.CopyTo(framed, 5);
using HttpClient client = new() { BaseAddress = new Uri($"http://127.0.0.1:{args[0]}"), Timeout = TimeSpan.FromSeconds(30) };
double[] took = new double[calls];
int next = 0, wrong = 0, failed = 0;
string failure = "";
long began = Stopwatch.GetTimestamp();
await Task.WhenAll(Enumerable.Range(0, inFlight).Select(async _ =>
{
    for (int n = Interlocked.Increment(ref next); n <= calls; n = Interlocked.Increment(ref next))
    {
        long at = Stopwatch.GetTimestamp();
        try
        {
            using HttpRequestMessage message = new(HttpMethod.Post, "/cache_client.Scs/Get")
            {
                Version = HttpVersion.Version20,
                VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            };
            message.Content = new ByteArrayContent(framed);
            message.Content.Headers.ContentType = new MediaTypeHeaderValue("application/grpc");
            message.Headers.TE.Add(new TransferCodingWithQualityHeaderValue("trailers"));
            message.Headers.Add("cache", "cache");
            using HttpResponseMessage answer = await client.SendAsync(message);
            byte[] body = await answer.Content.ReadAsByteArrayAsync();
            string status = answer.TrailingHeaders.TryGetValues("grpc-status", out IEnumerable<string>? values) ? values.First() : "none";
            if (status != "0" || !body.AsSpan(Math.Min(5, body.Length)).SequenceEqual(wanted))
            {
                Interlocked.Increment(ref wrong);
            }
        }
        catch (Exception error) when (error is HttpRequestException or OperationCanceledException)
        {
            Interlocked.Increment(ref failed);
            failure = error.GetType().Name;
        }

        took[n - 1] = Stopwatch.GetElapsedTime(at).TotalMicroseconds;
    }
}));
double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
Array.Sort(took);
string errors = failed > 0 ? $"\"{failure}\":{failed}" : "";
Console.WriteLine(string.Create(
    CultureInfo.InvariantCulture,
    $"{{\"seconds\":{seconds},\"p999Us\":{took[calls * 999L / 1000]},\"maxUs\":{took[^1]},\"wrong\":{wrong},\"errors\":{{{errors}}}}}"));
