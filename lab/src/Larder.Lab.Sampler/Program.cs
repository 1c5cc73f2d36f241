using System.Diagnostics;
using System.Globalization;
using System.Text;
using Larder.Server.Metrics;

// Measures the CPU time per call of the console's key sampling: the countdown for calls that are not sampled, and the recording of sampled calls.
const int Rounds = 7;
const int Calls = 20_000_000;
const int Looks = 200_000;
const int Keys = 100_000;
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
byte[][] requests = [.. Enumerable.Range(0, Keys).Select(number => (byte[])[10, 12, .. Encoding.ASCII.GetBytes($"item:{number:d7}")])];
using CallSampler busy = new(TimeProvider.System);
SampleGap gap = default;
double counted = double.MaxValue;
double among = double.MaxValue;
double hot = double.MaxValue;
double bytes = 0;
for (int round = 0; round < Rounds; round++)
{
    using CallSampler sampler = new(TimeProvider.System);
    among = Math.Min(among, Nanoseconds(Looks, call => sampler.Take("cache", "Get", requests[(call * 7919) % Keys], 1, CallSampler.Now())));
    long before = GC.GetAllocatedBytesForCurrentThread();
    hot = Math.Min(hot, Nanoseconds(Looks, call => sampler.Take("cache", "Get", requests[call % 8], 1, CallSampler.Now())));
    bytes = (double)(GC.GetAllocatedBytesForCurrentThread() - before) / Looks;

    // Simulates full load. The sampled calls of this loop make the sampler increase the gap between samples.
    long taken = 0;
    long start = Stopwatch.GetTimestamp();
    for (int call = 0; call < Calls; call++)
    {
        if (gap.IsDue(busy))
        {
            taken++;
            busy.Take("cache", "Get", requests[call % Keys], gap.Weight, CallSampler.Now());
        }
    }

    counted = Math.Min(counted, Stopwatch.GetElapsedTime(start).TotalNanoseconds / Calls);
}

Console.WriteLine($"sampling cost per call, at the largest gap between samples ({busy.Gap} calls): {counted:f2} ns");
Console.WriteLine($"recording one sampled call: {among:f0} ns with {Keys:n0} keys, {hot:f0} ns with 8 keys; {bytes:f1} bytes allocated");

static double Nanoseconds(int count, Action<int> act)
{
    long start = Stopwatch.GetTimestamp();
    for (int index = 0; index < count; index++)
    {
        act(index);
    }

    return Stopwatch.GetElapsedTime(start).TotalNanoseconds / count;
}
